import { column, defineTable, type RowOf } from "@orchestrator/kernel/storage";

const { flag, id, integer, json, tags, text, time } = column;

export const AUTOMATIONS = defineTable("automations", {
  id: id(),
  created: time(),
  updated: time().changeable(),
  name: text().changeable(),
  description: text().changeable(),
  enabled: flag().changeable(),
  tags: tags().changeable(),
  trigger: json().changeable(),
  actions: json().changeable(),
  actions_on_trigger: json().changeable(),
  actions_on_resolve: json().changeable(),
});
export type AutomationRow = RowOf<typeof AUTOMATIONS>;

/**
 * Resources that an automation belongs to, or that its actions are about. The id is without the
 * prefix.
 */
export const AUTOMATION_RESOURCES = defineTable("automation_resources", {
  automation_id: id(),
  resource_id: text(),
  is_owner: flag(),
});
export type AutomationResourceRow = RowOf<typeof AUTOMATION_RESOURCES>;

/**
 * How often automations have changed; whoever evaluates triggers or changes an automation holds the
 * row.
 */
export interface AutomationCatalogueRow {
  readonly name: string;
  readonly revision: number;
}

/** With which revision an automation last changed; stays when the automation is deleted. */
export interface AutomationRevisionRow {
  readonly automation_id: string;
  readonly revision: number;
}

/** What a trigger has counted for one value of its labels. */
export interface AutomationBucketRow {
  readonly automation_id: string;
  readonly trigger_id: string;
  readonly key_hash: string;
  /** JSON: the labels that the bucket is for. */
  readonly labels: string;
  readonly starts: string;
  readonly ends: string;
  readonly count: number;
  readonly last_event: string | null;
  /** JSON: what has come that a later window may count; null for nothing. */
  readonly held: string | null;
  /** When to look at it though no event comes; null while the automation is switched off. */
  readonly due: string | null;
}

/** That a trigger within another has fired. */
export interface AutomationChildFiringRow {
  readonly automation_id: string;
  readonly parent_id: string;
  readonly child_id: string;
  readonly fired: string;
  readonly position: number;
  readonly firing: string;
}

/** An event that waits for the one it follows. */
export interface AutomationWaitingEventRow {
  readonly event_id: string;
  readonly follows: string;
  readonly position: number;
  readonly occurred: string;
  readonly received: string;
  readonly event: string;
  readonly resource_id: string;
  readonly body: string;
  readonly give_up: string;
}

/** Something to be done because a trigger has fired; the row goes when it is done. */
export const AUTOMATION_ACTIONS = defineTable("automation_actions", {
  id: id(),
  created: time(),
  automation_id: id(),
  /** The server that executes it, and when its lease ends. */
  claim: id().orNull(),
  held_until: time().orNull(),
  attempts: integer(),
  action_index: integer(),
  action: json(),
  firing: json(),
});
export type AutomationActionRow = RowOf<typeof AUTOMATION_ACTIONS>;

/**
 * One of the last things worth knowing about the triggers of an automation; the oldest makes room
 * for the next.
 */
export interface AutomationTraceRow {
  readonly automation_id: string;
  readonly kind: TraceKind;
  readonly slot: number;
  /** Counts up within the kind. */
  readonly number: number;
  /** The same for entries that need not stand there twice in a row. */
  readonly alike: string;
  readonly entry: string;
}

export type TraceKind = "fired" | "missed";

/** An id that was made while an action was carried out; it may be that of an event. */
export interface AutomationCausedIdRow {
  readonly id: string;
  /** How many automations had made each other fire by then. */
  readonly depth: number;
  /**
   * The event from outside that it goes back to; null where it was written before that was kept.
   */
  readonly root: string | null;
  readonly written: string;
}

/** Firings that go back to one event from outside. */
export interface AutomationChainFiringRow {
  readonly root: string;
  /** Those that answered the event itself; they set the budget. */
  readonly direct: number;
  /** Those that answered what automations did; more than the budget where one was refused. */
  readonly caused: number;
  readonly written: string;
}

/**
 * How often an automation has fired in its present minute, and what has kept it from firing last.
 */
export interface AutomationThrottleRow {
  readonly automation_id: string;
  /** When the minute began. */
  readonly minute: string;
  readonly firings: number;
  /** The limit that was reached; null where none ever was. */
  readonly reason: string | null;
  readonly since: string | null;
  /** When it fires again; null while that is not known. */
  readonly until: string | null;
  /** The matches since then that did not make it fire. */
  readonly matches: number;
  readonly message: string | null;
}

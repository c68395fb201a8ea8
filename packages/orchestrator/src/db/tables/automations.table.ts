import type { Fields } from "@orchestrator/kernel/storage";

/** A row as it is stored: triggers, actions and tags are JSON text. */
export interface AutomationRow {
  readonly id: string;
  readonly created: string;
  readonly updated: string;
  readonly name: string;
  readonly description: string;
  readonly enabled: boolean;
  readonly tags: string;
  readonly trigger: string;
  readonly actions: string;
  readonly actions_on_trigger: string;
  readonly actions_on_resolve: string;
}

/** The record on the wire, in this order. */
export const AUTOMATION_FIELDS = {
  id: "id",
  created: "time",
  updated: "time",
  name: "text",
  description: "text",
  enabled: "flag",
  tags: "tags",
  trigger: "json",
  actions: "json",
  actions_on_trigger: "json",
  actions_on_resolve: "json",
} as const satisfies Fields & Record<keyof AutomationRow, unknown>;

/** A resource that an automation belongs to, or that its actions are about. The id is without the prefix. */
export interface AutomationResourceRow {
  readonly automation_id: string;
  readonly resource_id: string;
  readonly is_owner: boolean;
}

/** How often automations have changed; whoever evaluates triggers or changes an automation holds the row. */
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
export interface AutomationActionRow {
  readonly id: string;
  readonly created: string;
  readonly automation_id: string;
  /** Who is at it, and until when nobody else is. */
  readonly claim: string | null;
  readonly held_until: string | null;
  readonly attempts: number;
  readonly action_index: number;
  readonly action: string;
  readonly firing: string;
}

/** One of the last things worth knowing about the triggers of an automation; the oldest makes room for the next. */
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
  /** The event from outside that it goes back to; null where it was written before that was kept. */
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

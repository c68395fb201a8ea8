// Triggers as they are stored: complete, and with ids of their own.

import type { LabelPatterns } from "@orchestrator/contract";

/** By this name the triggers read the event log. */
export const TRIGGERS = "automation-triggers";

export interface EventTriggerRule {
  readonly type: "event";
  readonly id: string;
  readonly match: LabelPatterns;
  readonly match_related: LabelPatterns | readonly LabelPatterns[];
  readonly after: readonly string[];
  readonly expect: readonly string[];
  readonly for_each: readonly string[];
  readonly posture: "Reactive" | "Proactive";
  readonly threshold: number;
  readonly within: number;
  /** Not stored: what the server's dialect makes of `after`. */
  readonly watchesUnasked?: boolean;
}

export interface CompoundTrigger {
  readonly type: "compound";
  readonly id: string;
  readonly triggers: readonly TriggerRule[];
  readonly require: number | "any" | "all";
  readonly within: number | null;
}

export interface SequenceTrigger {
  readonly type: "sequence";
  readonly id: string;
  readonly triggers: readonly TriggerRule[];
  readonly within: number | null;
}

export type CompositeTrigger = CompoundTrigger | SequenceTrigger;
export type TriggerRule = EventTriggerRule | CompositeTrigger;

/** A trigger as a dialect understands it. */
export function understood(trigger: TriggerRule, watchesUnasked: boolean): TriggerRule {
  if (!watchesUnasked) return trigger;
  if (trigger.type === "event") return { ...trigger, watchesUnasked };
  return {
    ...trigger,
    triggers: trigger.triggers.map((child) => understood(child, watchesUnasked)),
  };
}

/** The event triggers of a trigger, each with the triggers it stands in, the nearest first. */
export function leavesOf(
  trigger: TriggerRule,
  parents: readonly CompositeTrigger[] = [],
): { readonly leaf: EventTriggerRule; readonly parents: readonly CompositeTrigger[] }[] {
  if (trigger.type === "event") return [{ leaf: trigger, parents }];
  return trigger.triggers.flatMap((child) => leavesOf(child, [trigger, ...parents]));
}

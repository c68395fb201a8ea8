// Triggers as they are stored: complete, and with ids of their own.

import type { LabelPatterns } from "@orchestrator/contract";

export interface EventTrigger {
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
  readonly triggers: readonly Trigger[];
  readonly require: number | "any" | "all";
  readonly within: number | null;
}

export interface SequenceTrigger {
  readonly type: "sequence";
  readonly id: string;
  readonly triggers: readonly Trigger[];
  readonly within: number | null;
}

export type CompositeTrigger = CompoundTrigger | SequenceTrigger;
export type Trigger = EventTrigger | CompositeTrigger;

/** A trigger as a dialect understands it. */
export function understood(trigger: Trigger, watchesUnasked: boolean): Trigger {
  if (!watchesUnasked) return trigger;
  if (trigger.type === "event") return { ...trigger, watchesUnasked };
  return {
    ...trigger,
    triggers: trigger.triggers.map((child) => understood(child, watchesUnasked)),
  };
}

/** The event triggers of a trigger, each with the triggers it stands in, the nearest first. */
export function leavesOf(
  trigger: Trigger,
  parents: readonly CompositeTrigger[] = [],
): { readonly leaf: EventTrigger; readonly parents: readonly CompositeTrigger[] }[] {
  if (trigger.type === "event") return [{ leaf: trigger, parents }];
  return trigger.triggers.flatMap((child) => leavesOf(child, [trigger, ...parents]));
}

// An automation that starts a run whenever a run starts would never come to an end.

import type { Action, LabelPatterns } from "@orchestrator/contract";
import { canonical } from "./triggers/names.rules.ts";
import type { TriggerRule } from "./triggers/triggers.rules.ts";

const STARTS: ReadonlySet<string> = new Set([
  "prefect.flow-run.Scheduled",
  "prefect.flow-run.Pending",
  "prefect.flow-run.Running",
  "prefect.flow-run.*",
]);

export interface GuardedAutomation {
  readonly enabled: boolean;
  readonly trigger: TriggerRule;
  readonly actions: readonly Action[];
}

/** Whether the runs that the automation starts would make it start others. */
export function neverEnds({ enabled, trigger, actions }: GuardedAutomation): boolean {
  if (!enabled || trigger.type !== "event" || trigger.posture !== "Reactive") return false;
  if (!trigger.expect.some((name) => STARTS.has(canonical(name)))) return false;
  const specs = [trigger.match_related].flat() as readonly LabelPatterns[];
  const isRestricted =
    !isUnrestricted(trigger.match) || (specs.length > 0 && !specs.some(isUnrestricted));
  return actions.some((action) => {
    if (action.type !== "run-deployment") return false;
    return action.source === "inferred" || !isRestricted;
  });
}

function isUnrestricted(labels: LabelPatterns): boolean {
  return Object.entries(labels).every(
    ([name, patterns]) =>
      canonical(name) === "prefect.resource.id" &&
      [patterns].flat().some((pattern) => canonical(pattern) === "prefect.flow-run.*"),
  );
}

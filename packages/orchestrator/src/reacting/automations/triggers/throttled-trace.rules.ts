// What the trace says of matches that a limit has kept from firing.

import type { Verdict } from "@orchestrator/contract";
import type { Firing, Observation } from "./evaluate.rules.ts";
import { remark } from "./verdicts.rules.ts";

/**
 * Of each automation the first firings were made, in the order in which they were observed; the
 * others were throttled.
 */
export function observedFirings(
  observed: readonly Observation[],
  made: readonly Firing[],
  verdictOf: (automationId: string) => Verdict,
): readonly Observation[] {
  const left = new Map<string, number>();
  for (const { automation } of made) left.set(automation.id, (left.get(automation.id) ?? 0) + 1);
  return observed.map((observation) => {
    const { automation, triggerId, remark: said } = observation;
    if (said.verdict !== "fired" || triggerId !== automation.trigger.id) return observation;
    const more = left.get(automation.id) ?? 0;
    left.set(automation.id, more - 1);
    if (more > 0) return observation;
    // Without labels, so that a flood of them is one entry.
    return { ...observation, labels: {}, remark: remark(verdictOf(automation.id)) };
  });
}

// Whether a run keeps an SLA: when its bound passed, when that ended, or when to look again.

import type { SlaKind, StateType } from "@orchestrator/contract";
import { TERMINAL_STATE_TYPES } from "@orchestrator/contract";
import { plusSeconds } from "@orchestrator/kernel/pure";

export interface EvaluatedRun {
  readonly state_type: StateType | null;
  readonly state_timestamp: string | null;
  readonly run_count: number;
  readonly expected_start_time: string | null;
  readonly start_time: string | null;
  readonly end_time: string | null;
  readonly total_run_time: number;
}

export interface SlaVerdict {
  /** What the bound counts from. */
  readonly since: string;
  /** When the bound passed, if it did. */
  readonly violated: string | null;
  /** When it was over, one way or the other: the run has ended, or has started. */
  readonly over: string | null;
  /** When the bound passes unless it is over before. */
  readonly due: string | null;
}

interface Terms {
  readonly kind: SlaKind;
  readonly seconds: number;
  /** Since when runs are under it: before that nothing was violated. */
  readonly since: string | null;
}

/**
 * Null where the run is not under the SLA, or not yet. `since`: what its watch says, where it has
 * one.
 */
export function evaluateSla(
  { kind, seconds, since: inForce }: Terms,
  run: EvaluatedRun,
  { since, now }: { readonly since: string | null; readonly now: string },
): SlaVerdict | null {
  if (kind === "freshness") return null;
  const from = kind === "lateness" ? run.expected_start_time : (since ?? beganAt(run));
  if (from === null) return null;
  const bound = plusSeconds(from, seconds);
  const over = kind === "lateness" ? run.start_time : run.end_time;
  const isPassed = over === null ? now >= bound : over > bound;
  const passed = inForce !== null && inForce > bound ? inForce : bound;
  const violated = isPassed ? passed : null;
  return { since: from, violated, over, due: over === null && !isPassed ? bound : null };
}

/**
 * When the run began what it is doing, without a watch that remembers it. One that had ended and
 * was started again does not count from its first start; one that has ended counts by the time it
 * ran.
 */
function beganAt(run: EvaluatedRun): string | null {
  const { state_type, start_time, end_time } = run;
  if (state_type === null || start_time === null) return null;
  if (end_time !== null && TERMINAL_STATE_TYPES.has(state_type))
    return plusSeconds(end_time, -run.total_run_time);
  if (state_type !== "RUNNING") return null;
  return run.run_count > 1 ? run.state_timestamp : start_time;
}

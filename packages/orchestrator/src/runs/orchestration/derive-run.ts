// The columns of a run that follow from the states it goes through.

import type { StateType } from "@orchestrator/contract";
import { formatMicros, parseMicros } from "@orchestrator/kernel/pure";
import { isTerminal, type RunState } from "./run-state.ts";

/** What any run keeps of its states. */
export interface RunTimes {
  readonly state_timestamp: string | null;
  readonly run_count: number;
  readonly expected_start_time: string | null;
  readonly next_scheduled_start_time: string | null;
  readonly start_time: string | null;
  readonly end_time: string | null;
  readonly total_run_time: number;
}

/** Before the first state. */
export const NEW_TIMES: RunTimes = {
  state_timestamp: null,
  run_count: 0,
  expected_start_time: null,
  next_scheduled_start_time: null,
  start_time: null,
  end_time: null,
  total_run_time: 0,
};

const MICROS_PER_SECOND = 1_000_000;

/**
 * The run's times once it is in `next`. `isCounted`: whether entering RUNNING is another execution.
 */
export function timesAfter(
  run: RunTimes,
  {
    from,
    next,
    isCounted,
  }: { readonly from: StateType | null; readonly next: RunState; readonly isCounted: boolean },
): RunTimes {
  const { type, timestamp } = next;
  const scheduled = type === "SCHEDULED" ? next.state_details.scheduled_time : null;
  const hasEnded = isTerminal(type);
  const start = run.start_time ?? (type === "RUNNING" || hasEnded ? timestamp : null);
  return {
    state_timestamp: timestamp,
    run_count: run.run_count + (type === "RUNNING" && isCounted ? 1 : 0),
    expected_start_time: run.expected_start_time ?? scheduled ?? timestamp,
    next_scheduled_start_time: scheduled,
    start_time: start,
    end_time: hasEnded ? (run.end_time ?? timestamp) : null,
    total_run_time:
      run.total_run_time +
      (from === "RUNNING" ? secondsBetween(run.state_timestamp, timestamp) : 0),
  };
}

function secondsBetween(from: string | null, to: string): number {
  if (from === null) return 0;
  return Math.max(0, parseMicros(to) - parseMicros(from)) / MICROS_PER_SECOND;
}

/**
 * The states of a run never share a time: one that arrives with or before the last comes a
 * microsecond after it.
 */
export function afterLast(timestamp: string, last: string | null): string {
  return last === null || timestamp > last ? timestamp : formatMicros(parseMicros(last) + 1);
}

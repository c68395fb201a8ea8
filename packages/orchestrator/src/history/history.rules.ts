import type { HistoryInterval } from "@orchestrator/contract";
import { formatMicros, parseMicros } from "@orchestrator/kernel/pure";

const MICROS_PER_SECOND = 1_000_000;
const MAX_INTERVALS = 500;

/** Consecutive intervals of one length: `count` of them from `start`. Times are microseconds. */
export interface Intervals {
  readonly start: number;
  readonly length: number;
  readonly count: number;
}

/**
 * Intervals from `start` until `end` is reached; the last one may go beyond it. There are at most
 * 500.
 */
export function intervalsBetween(
  start: string,
  { end, seconds }: { readonly end: string; readonly seconds: number },
): Intervals {
  const first = parseMicros(start);
  const length = Math.round(seconds * MICROS_PER_SECOND);
  const wanted = Math.ceil((parseMicros(end) - first) / length);
  return { start: first, length, count: Math.min(MAX_INTERVALS, Math.max(0, wanted)) };
}

export type StateFigures = HistoryInterval["states"][number] & { readonly interval: number };

/** The last moment that can be written down. */
export const LAST_MICROS = parseMicros("9999-12-31T23:59:59.000000Z");

/** Every interval in its order, with the figures that belong to it. */
export function fillIntervals(
  { start, length, count }: Intervals,
  figures: readonly StateFigures[],
): HistoryInterval[] {
  const filled = Array.from({ length: count }, (_, n) => ({
    interval_start: formatMicros(Math.min(start + n * length, LAST_MICROS)),
    interval_end: formatMicros(Math.min(start + (n + 1) * length, LAST_MICROS)),
    states: [] as HistoryInterval["states"],
  }));
  for (const { interval, ...state } of figures) filled[interval]?.states.push(state);
  return filled;
}

const MINUTE = 60 * MICROS_PER_SECOND;
const BUCKETS = 20;

/**
 * The twenty intervals of a dashboard: from the minute of `after` to the end of the minute of
 * `before`.
 */
export function dashboardIntervals(after: string, before: string): Intervals {
  const start = Math.floor(parseMicros(after) / MINUTE) * MINUTE;
  const end = (Math.floor(parseMicros(before) / MINUTE) + 1) * MINUTE;
  return { start, length: Math.max(MINUTE, end - start) / BUCKETS, count: BUCKETS };
}

// How much of a range was maintenance for a monitor, going by the windows as they are now. Times
// are microseconds since 1970.

import { parseMicros, yieldingBetweenSteps } from "@orchestrator/kernel/pure";
import type { CachedWindow, Covered } from "../../maintenance/coverage.rules.ts";
import { type MaintenancePeriodSpan, periodsWithin } from "../../maintenance/periods.rules.ts";
import { SIZE_MICROS } from "../../results/rollups/rollup.rules.ts";
import type { TimeRange } from "../stats/stats.rules.ts";

/**
 * Years of a window that recurs every few minutes are worked out in parts, of which no more than
 * the sum is kept.
 */
const PART = 7 * SIZE_MICROS.day;
/** Most monitors have the same few windows. */
const MOST_REMEMBERED = 100;

export type MaintenanceShare = (
  monitor: Covered & { readonly created_at: string },
) => Promise<number>;

export function maintenanceShare(
  windows: readonly CachedWindow[],
  range: TimeRange,
): MaintenanceShare {
  const turn = yieldingBetweenSteps();
  const sums = new Map<string, Map<number, number>>();
  const sumsOf = (own: readonly CachedWindow[]): Map<number, number> => {
    const key = own.map(({ row }) => row.id).join();
    const known = sums.get(key);
    if (known !== undefined) return known;
    if (sums.size >= MOST_REMEMBERED) sums.clear();
    const fresh = new Map<number, number>();
    sums.set(key, fresh);
    return fresh;
  };
  return async (monitor) => {
    const own = windows.filter((window) => window.isFor(monitor));
    if (own.length === 0) return 0;
    const known = sumsOf(own);
    const from = Math.max(range.from, parseMicros(monitor.created_at));
    let sum = 0;
    for (let n = Math.floor(from / PART); n * PART < range.until; n += 1) {
      const whole = {
        from: Math.max(n * PART, range.from),
        until: Math.min((n + 1) * PART, range.until),
      };
      // The part in which a monitor was created is its own.
      const isWhole = from <= whole.from;
      const part = isWhole ? known.get(n) : undefined;
      const found = part ?? (await unionWithin(own, isWhole ? whole : { ...whole, from }, turn));
      if (isWhole) known.set(n, found);
      sum += found;
    }
    return sum;
  };
}

/** How much of it lies within any of the windows. */
async function unionWithin(
  windows: readonly CachedWindow[],
  range: TimeRange,
  turn: () => Promise<void>,
): Promise<number> {
  let union: MaintenancePeriodSpan[] = [];
  for (const { row } of windows) {
    union = merged([...union, ...periodsWithin(row, range)]);
    await turn();
  }
  return union.reduce(
    (sum, { start, end }) => sum + Math.min(end, range.until) - Math.max(start, range.from),
    0,
  );
}

/** Without overlaps. */
function merged(periods: readonly MaintenancePeriodSpan[]): MaintenancePeriodSpan[] {
  const result: MaintenancePeriodSpan[] = [];
  for (const period of periods.toSorted((a, b) => a.start - b.start)) {
    const last = result.at(-1);
    if (last === undefined || period.start > last.end) result.push(period);
    else result[result.length - 1] = { start: last.start, end: Math.max(last.end, period.end) };
  }
  return result;
}

// How much of a range was maintenance for a monitor, going by the windows as they are now. Times are microseconds since 1970.

import { parseMicros } from "@orchestrator/kernel";
import type { Covered, KnownWindow } from "../maintenance/coverage.rules.ts";
import { type Period, periodFrom } from "../maintenance/periods.rules.ts";
import type { Range } from "../stats/stats.rules.ts";

/** A window that recurs more often within a range counts up to there. */
const MOST_PERIODS = 10_000;
/** Most monitors have the same few windows. */
const MOST_REMEMBERED = 100;

export type MaintenanceShare = (monitor: Covered & { readonly created_at: string }) => number;

export function maintenanceShare(windows: readonly KnownWindow[], range: Range): MaintenanceShare {
  const periods = new Map<KnownWindow, Period[]>();
  const unions = new Map<string, Period[]>();
  const unionOf = (own: readonly KnownWindow[]): Period[] => {
    const key = own.map(({ row }) => row.id).join();
    const known = unions.get(key);
    if (known !== undefined) return known;
    for (const window of own)
      if (!periods.has(window)) periods.set(window, periodsWithin(window, range));
    const union = merged(own.flatMap((window) => periods.get(window) ?? []));
    if (unions.size >= MOST_REMEMBERED) unions.clear();
    unions.set(key, union);
    return union;
  };
  return (monitor) => {
    const own = windows.filter((window) => window.isFor(monitor));
    if (own.length === 0) return 0;
    const from = Math.max(range.from, parseMicros(monitor.created_at));
    return unionOf(own).reduce(
      (sum, { start, end }) =>
        sum + Math.max(0, Math.min(end, range.until) - Math.max(start, from)),
      0,
    );
  };
}

function periodsWithin({ row }: KnownWindow, { from, until }: Range): Period[] {
  const found: Period[] = [];
  for (
    let period = periodFrom(row, from);
    period !== null && period.start < until && found.length < MOST_PERIODS;
    period = periodFrom(row, period.end)
  )
    found.push(period);
  return found;
}

/** Without overlaps. */
function merged(periods: readonly Period[]): Period[] {
  const result: Period[] = [];
  for (const period of periods.toSorted((a, b) => a.start - b.start)) {
    const last = result.at(-1);
    if (last === undefined || period.start > last.end) result.push(period);
    else result[result.length - 1] = { start: last.start, end: Math.max(last.end, period.end) };
  }
  return result;
}

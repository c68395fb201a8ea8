// Which monitors a maintenance window is for, and when. This is asked for every result, so times
// already worked out are kept. Times are microseconds since 1970.

import type { MaintenanceRow } from "../db/tables/maintenance.table.ts";
import { type MaintenancePeriodSpan, nextPeriodFrom, timetableProblem } from "./periods.rules.ts";

/** What decides whether a window is for a monitor. */
export interface Covered {
  readonly id: string;
  /** JSON array of texts. */
  readonly tags: string;
}

/** A window as it is kept at hand. */
export interface CachedWindow {
  readonly row: MaintenanceRow;
  /** Why it has no periods here, though it may have some elsewhere. */
  readonly problem: string | null;
  readonly isFor: (monitor: Covered) => boolean;
  /** The first period that is not over at `from`. */
  readonly periodFrom: (from: number) => MaintenancePeriodSpan | null;
}

/** The latest questions: results of one moment ask about it and about a time a little before. */
const REMEMBERED = 4;

export function cacheWindow(row: MaintenanceRow): CachedWindow {
  const ids = new Set(JSON.parse(row.monitor_ids) as readonly string[]);
  const tags = new Set(JSON.parse(row.tags) as readonly string[]);
  const answers: { readonly from: number; readonly period: MaintenancePeriodSpan | null }[] = [];
  return {
    row,
    problem: timetableProblem(row),
    isFor: (monitor) =>
      row.all_monitors ||
      ids.has(monitor.id) ||
      (tags.size > 0 && (JSON.parse(monitor.tags) as readonly string[]).some((t) => tags.has(t))),
    periodFrom(from) {
      for (const answer of answers)
        if (from >= answer.from && (answer.period === null || from < answer.period.end))
          return answer.period;
      const period = nextPeriodFrom(row, from);
      answers.unshift({ from, period });
      if (answers.length > REMEMBERED) answers.pop();
      return period;
    },
  };
}

/** The windows of a workspace, asked about monitors. */
export interface Windows {
  readonly known: readonly CachedWindow[];
  /** The first period for the monitor that has a part of the range; its end counts to the range. */
  readonly covering: (
    monitor: Covered,
    from: number,
    until: number,
  ) => MaintenancePeriodSpan | null;
}

const MINUTE_MICROS = 60_000_000;
const MOST_RANGES = 256;

export function windowsOf(known: readonly CachedWindow[]): Windows {
  // Results of the same minutes ask about the same few windows, however many there are.
  const ranges = new Map<string, readonly CachedWindow[]>();
  const windowsNear = (from: number, until: number): readonly CachedWindow[] => {
    const first = Math.floor(from / MINUTE_MICROS);
    const last = Math.ceil(until / MINUTE_MICROS);
    const range = `${first} ${last}`;
    const found = ranges.get(range);
    if (found !== undefined) return found;
    const near = known.filter((window) => {
      const period = window.periodFrom(first * MINUTE_MICROS);
      return period !== null && period.start <= last * MINUTE_MICROS;
    });
    if (ranges.size >= MOST_RANGES) ranges.clear();
    ranges.set(range, near);
    return near;
  };
  return {
    known,
    covering(monitor, from, until) {
      if (known.length === 0) return null;
      let first: MaintenancePeriodSpan | null = null;
      for (const window of windowsNear(from, until)) {
        const period = window.periodFrom(from);
        if (period === null || period.start > until) continue;
        if (first !== null && first.start <= period.start) continue;
        if (window.isFor(monitor)) first = period;
      }
      return first;
    },
  };
}

// When a maintenance window takes place. Times are microseconds since 1970.

import { occurrences, ScheduleError, validateSchedule } from "@orchestrator/calendar";
import { formatMicros, parseMicros } from "@orchestrator/kernel/pure";
import type { MaintenanceRow } from "../db/tables/maintenance.table.ts";

export interface MaintenancePeriodSpan {
  readonly start: number;
  /** The first moment that is outside again. */
  readonly end: number;
}

export type Timetable = Pick<
  MaintenanceRow,
  "starts_at" | "ends_at" | "schedule" | "timezone" | "duration" | "enabled" | "finished_at"
>;

const SECOND_MICROS = 1_000_000;

/**
 * The first period that is not over at `from`. It lasts for its duration in real time, whatever the
 * clocks do.
 */
export function nextPeriodFrom(window: Timetable, from: number): MaintenancePeriodSpan | null {
  return nextPeriods(window, from, { limit: 1 })[0] ?? null;
}

const PAGE = 1000;

/** All periods that have a part of a range, in their order. A long range may have very many. */
export function periodsWithin(
  window: Timetable,
  { from, until }: { readonly from: number; readonly until: number },
): MaintenancePeriodSpan[] {
  const found: MaintenancePeriodSpan[] = [];
  for (let next = from; ; ) {
    const page = nextPeriods(window, next, { until: until - 1, limit: PAGE });
    found.push(...page);
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return found;
    next = last.end;
  }
}

interface Starts {
  /** The last moment at which one may begin. */
  readonly until?: number;
  readonly limit: number;
}

function nextPeriods(
  window: Timetable,
  from: number,
  { until, limit }: Starts,
): MaintenancePeriodSpan[] {
  if (!window.enabled) return [];
  const { starts_at, ends_at, schedule, timezone, duration } = window;
  if (schedule === null || duration === null) {
    if (starts_at === null || ends_at === null) return [];
    const once = { start: parseMicros(starts_at), end: parseMicros(ends_at) };
    const isThere = once.start < once.end && from < once.end;
    return isThere && once.start <= (until ?? once.start) ? [once] : [];
  }
  const length = duration * SECOND_MICROS;
  const finished =
    window.finished_at === null ? Number.NEGATIVE_INFINITY : parseMicros(window.finished_at);
  const notOver = from - length + 1;
  const starts = startsOf(cronOf({ schedule, timezone }), {
    from: from < finished ? notOver : Math.max(notOver, finished),
    ...(until !== undefined && { until }),
    limit,
  });
  return starts.map((start) => ({
    start,
    end: start < finished ? Math.min(start + length, finished) : start + length,
  }));
}

/**
 * None in a time zone that this machine does not know: one window must not keep all results from
 * being recorded.
 */
function startsOf(...[cron, options]: Parameters<typeof occurrences>): number[] {
  try {
    return occurrences(cron, options);
  } catch (error) {
    if (error instanceof ScheduleError) return [];
    throw error;
  }
}

/** Why it cannot be told here when a window takes place; null when it can. */
export function timetableProblem({ schedule, timezone }: Timetable): string | null {
  return schedule === null ? null : validateSchedule(cronOf({ schedule, timezone }));
}

/** The period that `at` lies in. */
export function periodAt(window: Timetable, at: number): MaintenancePeriodSpan | null {
  const period = nextPeriodFrom(window, at);
  return period !== null && period.start <= at ? period : null;
}

/** The first period that begins after `at`. */
export function periodAfter(window: Timetable, at: number): MaintenancePeriodSpan | null {
  const current = periodAt(window, at);
  const next = nextPeriodFrom(window, current === null ? at : current.end);
  return next !== null && next.start > at ? next : null;
}

const LOOKED_AT = 400;

/**
 * Whether a period would begin before the one before has ended, within the times that come next.
 */
export function overlapsItself({ schedule, timezone, duration }: Timetable, now: number): boolean {
  if (schedule === null || duration === null) return false;
  const starts = occurrences(cronOf({ schedule, timezone }), { from: now, limit: LOOKED_AT });
  const length = duration * SECOND_MICROS;
  return starts.some((start, index) => start - (starts[index - 1] ?? -Infinity) < length);
}

function cronOf({ schedule, timezone }: { schedule: string; timezone: string }) {
  return { kind: "cron", cron: schedule, timezone, seconds: "first" } as const;
}

/** As it is told. */
export function periodText({ start, end }: MaintenancePeriodSpan): {
  readonly start: string;
  readonly end: string;
} {
  return { start: formatMicros(start), end: formatMicros(end) };
}

// When a maintenance window takes place. Times are microseconds since 1970.

import { formatMicros, occurrences, parseMicros } from "@orchestrator/kernel";
import type { MaintenanceRow } from "./maintenance.table.ts";

export interface Period {
  readonly start: number;
  /** The first moment that is outside again. */
  readonly end: number;
}

export type Timetable = Pick<
  MaintenanceRow,
  "starts_at" | "ends_at" | "schedule" | "timezone" | "duration" | "enabled" | "finished_at"
>;

const SECOND_MICROS = 1_000_000;

/** The first period that is not over at `from`. It lasts for its duration in real time, whatever the clocks do. */
export function periodFrom(window: Timetable, from: number): Period | null {
  if (!window.enabled) return null;
  const { starts_at, ends_at, schedule, timezone, duration } = window;
  if (schedule === null || duration === null) {
    if (starts_at === null || ends_at === null) return null;
    const once = { start: parseMicros(starts_at), end: parseMicros(ends_at) };
    return once.start < once.end && from < once.end ? once : null;
  }
  const length = duration * SECOND_MICROS;
  const finished =
    window.finished_at === null ? Number.NEGATIVE_INFINITY : parseMicros(window.finished_at);
  const notOver = from - length + 1;
  const [start] = occurrences(cronOf({ schedule, timezone }), {
    from: from < finished ? notOver : Math.max(notOver, finished),
    limit: 1,
  });
  if (start === undefined) return null;
  return { start, end: start < finished ? Math.min(start + length, finished) : start + length };
}

/** The period that `at` lies in. */
export function periodAt(window: Timetable, at: number): Period | null {
  const period = periodFrom(window, at);
  return period !== null && period.start <= at ? period : null;
}

/** The first period that begins after `at`. */
export function periodAfter(window: Timetable, at: number): Period | null {
  const current = periodAt(window, at);
  const next = periodFrom(window, current === null ? at : current.end);
  return next !== null && next.start > at ? next : null;
}

const LOOKED_AT = 400;

/** Whether a period would begin before the one before has ended, within the times that come next. */
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
export function periodText({ start, end }: Period): {
  readonly start: string;
  readonly end: string;
} {
  return { start: formatMicros(start), end: formatMicros(end) };
}

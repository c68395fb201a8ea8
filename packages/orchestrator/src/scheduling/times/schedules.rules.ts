// Schedules as they are stored, and as the calendar reads them.

import {
  type Schedule as CalendarSchedule,
  neverOccurs,
  validateSchedule,
  withDefaultStart,
} from "@orchestrator/calendar";
import type { Schedule } from "@orchestrator/contract";
import { parseMicros } from "@orchestrator/kernel/pure";
import { unreadableInSchedule } from "./readable.rules.ts";

const MICROS_PER_SECOND = 1_000_000;
export const DEFAULT_ZONE = "UTC";
const NEVER = "The schedule never occurs: no day and time fit all that it asks for.";

export interface Receiving {
  readonly nowMicros: number;
  /** Whether also what the established clients cannot read is taken. */
  readonly takesAny: boolean;
}

export interface ScheduleCheck extends Receiving {
  /** With every key of its kind. */
  readonly schedule: Schedule;
}

/** The schedule as it is stored, or what is wrong with it in one sentence. */
export type CheckedSchedule =
  | { readonly stored: Schedule; readonly problem: null }
  | { readonly stored: null; readonly problem: string };

function withStart(schedule: Schedule, nowMicros: number): CheckedSchedule {
  if (schedule.rrule === undefined) return { stored: schedule, problem: null };
  const timezone = schedule.timezone ?? DEFAULT_ZONE;
  const { value, problem } = withDefaultStart(schedule.rrule, { timezone, nowMicros });
  if (value === null) return { stored: null, problem };
  const stored = { ...schedule, rrule: value };
  // With a start it may have become too long to be read again.
  const unreadable = validateSchedule(calendarOf(stored));
  return unreadable === null ? { stored, problem: null } : { stored: null, problem: unreadable };
}

/** Takes longest for a schedule that never occurs. */
export function checkSchedule({ schedule, nowMicros, takesAny }: ScheduleCheck): CheckedSchedule {
  const wrong =
    validateSchedule(calendarOf(schedule)) ?? (takesAny ? null : unreadableInSchedule(schedule));
  const checked =
    wrong === null ? withStart(schedule, nowMicros) : { stored: null, problem: wrong };
  const isNever = checked.stored !== null && neverOccurs(calendarOf(checked.stored));
  return isNever ? { stored: null, problem: NEVER } : checked;
}

/** A stored schedule for the calendar. */
export function calendarOf(schedule: Schedule): CalendarSchedule {
  const timezone = schedule.timezone ?? DEFAULT_ZONE;
  if (schedule.cron !== undefined)
    return { kind: "cron", cron: schedule.cron, dayOr: schedule.day_or ?? true, timezone };
  if (schedule.rrule !== undefined) return { kind: "rrule", rrule: schedule.rrule, timezone };
  return {
    kind: "interval",
    // Earlier versions stored shorter ones.
    intervalMicros: Math.round(Math.max(schedule.interval ?? 0, 1) * MICROS_PER_SECOND),
    anchorMicros: schedule.anchor_date == null ? 0 : parseMicros(schedule.anchor_date),
    timezone,
  };
}

/** What a run that it created says of it. */
export function scheduleLabel({ cron, rrule }: Schedule, slug: string | null): string {
  if (slug !== null && slug !== "") return slug;
  if (cron !== undefined) return "CronSchedule";
  return rrule === undefined ? "IntervalSchedule" : "RRuleSchedule";
}

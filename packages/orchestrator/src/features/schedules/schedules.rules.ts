// Schedules as they arrive, as they are stored, and as the calendar reads them.

import type { Schedule } from "@orchestrator/contract";
import {
  anchorProblem,
  type Schedule as CalendarSchedule,
  findZone,
  formatMicros,
  InvalidRequestError,
  neverOccurs,
  type Problem,
  parseMicros,
  takingTurns,
  validateSchedule,
  withDefaultStart,
} from "@orchestrator/kernel";
import { unreadableInSchedule } from "./readable.rules.ts";

const MICROS_PER_SECOND = 1_000_000;
const DEFAULT_ZONE = "UTC";
/** Reading stops here: a schedule that never occurs takes the longest of all to read. */
const MOST_PROBLEMS = 10;
const NEVER = "The schedule never occurs: no day and time fit all that it asks for.";

/** Which keys each kind has, its own first. */
const KEYS = {
  cron: ["cron", "day_or", "timezone"],
  interval: ["interval", "anchor_date", "timezone"],
  rrule: ["rrule", "timezone"],
} as const;
type Kind = keyof typeof KEYS;
const KINDS = Object.keys(KEYS) as Kind[];

export type Location = readonly (string | number)[];

/** A schedule and where in the request it stands. */
export interface ReceivedSchedule {
  readonly schedule: Schedule;
  readonly loc: Location;
}

export interface Receiving {
  readonly nowMicros: number;
  /** Whether also what the established clients cannot read is taken. */
  readonly takesAny: boolean;
}

/** The schedules as they are stored, or the first problems with them. */
export async function receiveSchedules(
  received: readonly ReceivedSchedule[],
  receiving: Receiving,
): Promise<Schedule[]> {
  const turn = takingTurns();
  const read: Schedule[] = [];
  const problems: Problem[] = [];
  for (const one of received) {
    const { stored, problem } = receive(one, receiving);
    if (stored !== undefined) read.push(stored);
    if (problem !== undefined && problems.push(problem) === MOST_PROBLEMS) break;
    await turn();
  }
  if (problems.length > 0) throw new InvalidRequestError(problems);
  return read;
}

export function receiveSchedule(received: ReceivedSchedule, receiving: Receiving): Schedule {
  const { stored, problem } = receive(received, receiving);
  if (stored === undefined) throw new InvalidRequestError(problem === undefined ? [] : [problem]);
  return stored;
}

interface Received {
  readonly stored?: Schedule;
  readonly problem?: Problem;
}

function receive({ schedule, loc }: ReceivedSchedule, receiving: Receiving): Received {
  const { nowMicros, takesAny } = receiving;
  const kinds = KINDS.filter((kind) => schedule[kind] !== undefined);
  const [kind] = kinds;
  if (kind === undefined || kinds.length > 1) {
    const msg = `Exactly one of ${KINDS.join(", ")} says when a schedule recurs`;
    return { problem: valueError(msg, { loc, input: schedule }) };
  }
  const known: readonly string[] = KEYS[kind];
  for (const [key, input] of Object.entries(schedule)) {
    if (known.includes(key)) continue;
    const msg = `A schedule with ${kind} has no ${key}`;
    return { problem: { type: "extra_forbidden", loc: [...loc, key], msg, input } };
  }
  // A form, or a file, where nobody filled it in.
  const timezone = schedule.timezone === "" ? null : (schedule.timezone ?? null);
  const zoneProblem = timezone === null ? null : findZone(timezone).problem;
  if (zoneProblem !== null)
    return { problem: valueError(zoneProblem, { loc: [...loc, "timezone"], input: timezone }) };
  const completed = complete({ ...schedule, timezone }, { kind, nowMicros });
  const calendar = calendarOf(completed);
  const wrongAnchor = calendar.kind === "interval" ? anchorProblem(calendar.anchorMicros) : null;
  if (wrongAnchor !== null) {
    const where = { loc: [...loc, "anchor_date"], input: schedule.anchor_date };
    return { problem: valueError(wrongAnchor, where) };
  }
  const wrong = validateSchedule(calendar) ?? (takesAny ? null : unreadableInSchedule(completed));
  const { stored, problem } =
    wrong === null ? withStart(completed, nowMicros) : { stored: null, problem: wrong };
  const where = { loc: [...loc, kind], input: schedule[kind] };
  if (stored === null) return { problem: valueError(problem, where) };
  return neverOccurs(calendarOf(stored)) ? { problem: valueError(NEVER, where) } : { stored };
}

function valueError(
  msg: string,
  { loc, input }: { readonly loc: Location; readonly input: unknown },
): Problem {
  return { type: "value_error", loc, msg: `Value error, ${msg}`, input };
}

/** With every key of its kind. */
function complete(
  { cron, day_or, interval, anchor_date, rrule, timezone }: Schedule,
  { kind, nowMicros }: { readonly kind: Kind; readonly nowMicros: number },
): Schedule {
  switch (kind) {
    case "cron":
      return { cron: cron ?? "", timezone: timezone ?? null, day_or: day_or ?? true };
    case "interval":
      return {
        interval: interval ?? 0,
        anchor_date: anchor_date ?? formatMicros(nowMicros),
        timezone: timezone ?? DEFAULT_ZONE,
      };
    case "rrule":
      return { rrule: rrule ?? "", timezone: timezone ?? DEFAULT_ZONE };
  }
}

type Started =
  | { readonly stored: Schedule; readonly problem: null }
  | { readonly stored: null; readonly problem: string };

function withStart(schedule: Schedule, nowMicros: number): Started {
  if (schedule.rrule === undefined) return { stored: schedule, problem: null };
  const timezone = schedule.timezone ?? DEFAULT_ZONE;
  const { value, problem } = withDefaultStart(schedule.rrule, { timezone, nowMicros });
  if (value === null) return { stored: null, problem };
  const stored = { ...schedule, rrule: value };
  // With a start it may have become too long to be read again.
  const unreadable = validateSchedule(calendarOf(stored));
  return unreadable === null ? { stored, problem: null } : { stored: null, problem: unreadable };
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

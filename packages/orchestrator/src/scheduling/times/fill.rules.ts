// Which times of a schedule become runs, and when to look at the schedule again. Times are
// microseconds since 1970.

import { createHash } from "node:crypto";
import {
  type Schedule as CalendarSchedule,
  isScheduleOver,
  MOST_OCCURRENCES,
  neverOccurs,
  occurrences,
} from "@orchestrator/calendar";

export const MICROS_PER_SECOND = 1_000_000;
export const MINUTE = 60 * MICROS_PER_SECOND;
export const MICROS_PER_HOUR = 60 * MINUTE;
const DAY = 24 * MICROS_PER_HOUR;

/** So many times at least, and so far at least, are made into runs ahead of time. */
const MIN_RUNS = 3;
const MIN_AHEAD = MICROS_PER_HOUR;
/** And never more or further than this. */
const MAX_RUNS = 100;
const MAX_AHEAD = 100 * DAY;

/**
 * A schedule that ran out of runs no longer ago than this is looked at late, and has missed
 * nothing: a restart took a moment, or a replica died with the schedule in its hands, and another
 * had to wait for its claim to end and for its own next look.
 */
const LATEST_LOOK = MINUTE;
const MOST_CAUGHT_UP = 100;
/** A schedule faster than the horizon can hold is not looked at more often than this. */
const SHORTEST_PAUSE = MICROS_PER_SECOND;

export type Catchup = "all" | "latest" | "none";

/** What moves the times of a schedule. */
interface Spread {
  readonly id: string;
  readonly jitter: number;
  /** Since when it is there. */
  readonly created: number;
}

export interface Filling extends Spread {
  readonly schedule: CalendarSchedule;
  readonly now: number;
  /** Up to here its times have been made into runs, or passed over. */
  readonly filledUntil: number;
  readonly catchup: Catchup;
  readonly maxRuns: number | null;
}

/** `date` is what the schedule says, `at` when the run is to start. */
export interface RunTime {
  readonly date: number;
  readonly at: number;
}

export interface FilledTimes {
  readonly times: readonly RunTime[];
  readonly filledUntil: number;
  /** Null: there is nothing more to come. */
  readonly due: number | null;
}

/** What is missing of the schedule's horizon. Costs the same however far its past reaches. */
export function fillSchedule(filling: Filling): FilledTimes {
  const { schedule, now, filledUntil } = filling;
  const cap = Math.min(MAX_RUNS, filling.maxRuns ?? MAX_RUNS);
  const ahead = horizon(schedule, now, cap);
  const missing = ahead.filter((date) => date > filledUntil);
  return {
    times: [...passed(filling), ...runTimes(filling, missing)],
    filledUntil: Math.max(filledUntil, now, ahead.at(-1) ?? now),
    due: nextLook(schedule, { ahead, now, cap }),
  };
}

/**
 * Of the times since the horizon ended, those that are to run: all if it ended just now, else as
 * the schedule says.
 */
function passed(filling: Filling): RunTime[] {
  const { schedule, now, filledUntil, catchup } = filling;
  if (filledUntil > now) return [];
  // After a change the runs of times that jitter moved behind it are gone, so those times count
  // once more.
  const after = heldBackSince(filling, filledUntil);
  const count = filling.jitter > 0 ? MOST_OCCURRENCES : MOST_CAUGHT_UP;
  const dates = lastOccurrences(schedule, { after, until: now, count });
  const times = runTimes(filling, dates).filter(({ at }) => at > filledUntil);
  if (now - filledUntil <= LATEST_LOOK) return times;
  const missed = times.filter(({ at }) => at <= now);
  const wanted = new Set(caughtUp(missed, catchup));
  return times.filter((time) => time.at > now || wanted.has(time));
}

function caughtUp(missed: readonly RunTime[], catchup: Catchup): readonly RunTime[] {
  if (catchup === "none") return [];
  return missed.slice(catchup === "latest" ? -1 : -MOST_CAUGHT_UP);
}

/**
 * The next runs of a schedule in the order they start: jitter may move one past its neighbours, and
 * past now.
 */
export function nextRunTimes(
  spread: Spread & Pick<Filling, "schedule">,
  { now, limit }: { readonly now: number; readonly limit: number },
): RunTime[] {
  const { schedule, jitter } = spread;
  const after = heldBackSince(spread, now);
  const ahead = occurrences(schedule, { from: now + 1, limit });
  const last = ahead.at(-1) ?? now;
  const count = MOST_OCCURRENCES;
  const before = lastOccurrences(schedule, { after, until: now, count });
  const behind = occurrences(schedule, { from: last + 1, until: last + jitter, limit: count });
  return runTimes(spread, [...before, ...ahead, ...behind])
    .filter(({ at }) => at > now)
    .toSorted((a, b) => a.at - b.at)
    .slice(0, limit);
}

/** Times from then on may have moved behind a moment, but none that was before the schedule. */
const heldBackSince = ({ jitter, created }: Spread, moment: number): number =>
  Math.max(moment - jitter, Math.min(created, moment));

function runTimes(
  { id, jitter }: Pick<Spread, "id" | "jitter">,
  dates: readonly number[],
): RunTime[] {
  return dates.map((date) => ({ date, at: date + jitterOf(id, date, jitter) }));
}

/**
 * The times from now on that should be runs: the first three, all of the next hour, and one behind
 * it.
 */
function horizon(schedule: CalendarSchedule, now: number, cap: number): number[] {
  return timesWithin(schedule, { from: now + 1, minAhead: MIN_AHEAD - 1, maxRuns: cap });
}

/**
 * Which times to take: the first `minRuns`, and on until one lies `minAhead` away, but no more than
 * `maxRuns`.
 */
export interface TimeBounds {
  readonly from: number;
  readonly until?: number | undefined;
  readonly minAhead?: number | undefined;
  readonly maxAhead?: number | undefined;
  readonly minRuns?: number | undefined;
  readonly maxRuns?: number | undefined;
}

export function timesWithin(
  schedule: CalendarSchedule,
  {
    from,
    until,
    minAhead = MIN_AHEAD,
    maxAhead = MAX_AHEAD,
    minRuns = MIN_RUNS,
    maxRuns = MAX_RUNS,
  }: TimeBounds,
): number[] {
  const end = until ?? from + maxAhead;
  const near = occurrences(schedule, {
    from,
    until: Math.min(end, from + minAhead - 1),
    limit: maxRuns,
  });
  const limit = Math.min(Math.max(1, minRuns - near.length), maxRuns - near.length);
  return [...near, ...occurrences(schedule, { from: from + minAhead, until: end, limit })];
}

/** When the horizon would no longer be what `horizon` wants. */
function nextLook(
  schedule: CalendarSchedule,
  {
    ahead,
    now,
    cap,
  }: { readonly ahead: readonly number[]; readonly now: number; readonly cap: number },
): number | null {
  const last = ahead.at(-1) ?? now;
  const [next] = occurrences(schedule, { from: last + 1, limit: 1 });
  // A search sees some hours of a rule by the second. Earlier versions stored schedules that never
  // occur.
  if (next === undefined)
    return isScheduleOver(schedule, last) || neverOccurs(schedule) ? null : now + MICROS_PER_HOUR;
  const isFull = ahead.length >= cap && last < now + MIN_AHEAD;
  const half = ahead[Math.floor(cap / 2)] ?? last;
  if (isFull) return Math.max(half, now + SHORTEST_PAUSE);
  const tooFew = ahead.at(-Math.min(MIN_RUNS, cap)) ?? now;
  const tooNear = last - MIN_AHEAD;
  const look = Math.max(Math.min(tooFew, tooNear), next - MAX_AHEAD, now) + 1;
  // With as many as it may have there is nothing to add before the first of them is over.
  return ahead.length >= cap ? Math.max(look, (ahead[0] ?? now) + 1) : look;
}

const FIRST_WINDOW = MICROS_PER_SECOND;
const WIDER = 4;
const MOST_STEPS = 50;

/**
 * The last times of a window. Looks back further and further, so that a long past costs nothing.
 */
export function lastOccurrences(
  schedule: CalendarSchedule,
  {
    after,
    until,
    count,
  }: { readonly after: number; readonly until: number; readonly count: number },
): number[] {
  for (let width = FIRST_WINDOW; ; width *= WIDER) {
    const from = Math.max(after + 1, until - width);
    const found = lastOf(schedule, { from, until, count });
    if (found.length >= count || from === after + 1) return found;
  }
}

/** Goes through a window to its end, as far as is reasonable. */
function lastOf(
  schedule: CalendarSchedule,
  { from, until, count }: { readonly from: number; readonly until: number; readonly count: number },
): number[] {
  let last: number[] = [];
  for (let step = 0, next = from; step < MOST_STEPS; step += 1) {
    const found = occurrences(schedule, { from: next, until, limit: MOST_OCCURRENCES });
    last = [...last, ...found].slice(-count);
    if (found.length < MOST_OCCURRENCES) break;
    next = (found.at(-1) ?? until) + 1;
  }
  return last;
}

/** How much later than its date a run starts; always the same for the same date. */
export function jitterOf(scheduleId: string, date: number, jitter: number): number {
  if (jitter <= 0) return 0;
  const digest = createHash("sha256").update(`${scheduleId} ${date}`).digest();
  return Math.floor((digest.readUInt32BE(0) / 2 ** 32) * jitter);
}

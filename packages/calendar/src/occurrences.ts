import { DAY, dayNumber, HORIZON, SECOND } from "./civil.ts";
import { type CronOptions, cronWalls, readCron } from "./cron.ts";
import { type Interval, intervalOccurrences, intervalProblem } from "./interval.ts";
import { hasRuleEnded, readRRule, rruleWalls } from "./rrule.ts";
import { parsedOrError, refuse } from "./schedule-error.ts";
import { type OccurrenceWindow, type WallSource, wallOccurrences } from "./wall-occurrences.ts";
import { readZone, toWall } from "./zone.ts";

export interface CronSchedule extends CronOptions {
  readonly kind: "cron";
  readonly cron: string;
  readonly timezone: string;
}

export interface IntervalSchedule extends Interval {
  readonly kind: "interval";
  readonly timezone: string;
}

export interface RRuleSchedule {
  readonly kind: "rrule";
  readonly rrule: string;
  readonly timezone: string;
}

/** When something recurs, on the clock of an IANA time zone. */
export type Schedule = CronSchedule | IntervalSchedule | RRuleSchedule;

export interface OccurrenceOptions {
  /** Microseconds since 1970; an occurrence at this instant counts. */
  readonly from: number;
  /**
   * Microseconds since 1970; an occurrence at this instant counts. @default the end of the year
   * 2200
   */
  readonly until?: number;
  readonly limit: number;
}

export const MOST_OCCURRENCES = 1000;
const EARLIEST = dayNumber({ year: 1700, month: 1, day: 1 }) * DAY;

/**
 * The instants at which a schedule occurs, in microseconds since 1970, strictly increasing; at most
 * `MOST_OCCURRENCES`. Throws a `ScheduleError` for a schedule that `validateSchedule` refuses.
 */
export function occurrences(schedule: Schedule, options: OccurrenceOptions): number[] {
  // Beyond these whole microseconds can no longer be told apart.
  const from = Math.min(Math.max(Math.ceil(options.from), EARLIEST), HORIZON + 1);
  const until = Math.min(options.until ?? HORIZON, HORIZON);
  const limit = Math.min(options.limit, MOST_OCCURRENCES);
  if (Number.isNaN(from + until + limit))
    throw new RangeError(`Not a window: ${from}, ${until}, ${limit}`);
  const find = compile(schedule);
  return from > until || limit < 1 ? [] : find({ from, until, limit });
}

/** What is wrong with a schedule, in one sentence, or null. */
export function validateSchedule(schedule: Schedule): string | null {
  return parsedOrError(() => compile(schedule)).problem;
}

/**
 * Whether no time of a schedule is found, past or future: a 30th of February, or a rule that
 * excepts what it names.
 */
export function neverOccurs(schedule: Schedule): boolean {
  return occurrences(schedule, { from: EARLIEST, limit: 1 }).length === 0;
}

/**
 * Whether a schedule that has no more occurrences after a moment, as far as they were looked for,
 * has none at all.
 */
export function isScheduleOver(schedule: Schedule, micros: number): boolean {
  if (schedule.kind !== "rrule") return true;
  const wall = Math.floor(toWall(micros, readZone(schedule.timezone)) / SECOND);
  return hasRuleEnded(readRRule(schedule.rrule), wall);
}

type Find = (window: OccurrenceWindow) => number[];

function compile(schedule: Schedule): Find {
  const zone = readZone(schedule.timezone);
  const onWall = (source: WallSource) => (window: OccurrenceWindow) =>
    wallOccurrences(source, zone, window);
  switch (schedule.kind) {
    case "cron": {
      const cron = readCron(schedule.cron, schedule);
      return onWall((from, until) => cronWalls(cron, from, until));
    }
    case "interval": {
      const problem = intervalProblem(schedule);
      if (problem !== null) refuse(problem);
      return (window) => intervalOccurrences(schedule, zone, window);
    }
    case "rrule": {
      const set = readRRule(schedule.rrule);
      return onWall((from, until) => rruleWalls(set, from, until));
    }
  }
}

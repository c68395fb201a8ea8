import { DAY } from "./civil.ts";
import { refuse } from "./schedule-error.ts";
import { spendSteps } from "./search-steps.ts";
import type { OccurrenceWindow } from "./wall-occurrences.ts";
import { LATER_THEN_FIRST, toUtc, toWall, type Zone } from "./zone.ts";

/** Occurs at the anchor and any whole number of intervals before and after it. */
export interface Interval {
  readonly intervalMicros: number;
  readonly anchorMicros: number;
}

export function intervalProblem({ intervalMicros, anchorMicros }: Interval): string | null {
  if (!Number.isSafeInteger(intervalMicros) || intervalMicros <= 0)
    return "An interval is a whole number of microseconds above 0 and below 286 years.";
  return anchorProblem(anchorMicros);
}

/** What is wrong with the anchor alone, in one sentence, or null. */
export function anchorProblem(anchorMicros: number): string | null {
  return Number.isSafeInteger(anchorMicros)
    ? null
    : "The anchor of an interval lies between the years 1685 and 2255.";
}

/**
 * Whole days of the interval pass on the wall clock, the rest in absolute time: daily keeps the
 * hour, hourly keeps pace.
 */
export function intervalOccurrences(
  interval: Interval,
  zone: Zone,
  window: OccurrenceWindow,
): number[] {
  const problem = intervalProblem(interval);
  if (problem !== null) refuse(problem);
  const at =
    interval.intervalMicros < DAY
      ? absoluteSteps(interval, window.from)
      : calendarSteps(interval, zone, window.from);
  const found: number[] = [];
  let step = 0;
  for (let utc = at(step); utc <= window.until && found.length < window.limit; utc = at(++step)) {
    spendSteps(1 / 8);
    if (utc !== found.at(-1)) found.push(utc);
  }
  return found;
}

/**
 * The nth occurrence at or after `from`, counted from 0. Remainders are exact where differences of
 * far times are not.
 */
function absoluteSteps({ intervalMicros, anchorMicros }: Interval, from: number) {
  const ahead = ((anchorMicros % intervalMicros) - (from % intervalMicros)) % intervalMicros;
  const first = from + (ahead < 0 ? ahead + intervalMicros : ahead);
  return (step: number) => first + step * intervalMicros;
}

function calendarSteps({ intervalMicros, anchorMicros }: Interval, zone: Zone, from: number) {
  const days = Math.floor(intervalMicros / DAY);
  const rest = intervalMicros - days * DAY;
  const wall = toWall(anchorMicros, zone);
  const at = (k: number) => {
    // The anchor may be the second pass through a repeated hour; its wall-clock time means the
    // first.
    if (k === 0) return anchorMicros;
    return toUtc(wall + k * days * DAY, zone, LATER_THEN_FIRST) + k * rest;
  };
  // A zone has changed its offset by up to a day and an hour since the anchor (Apia), so the
  // estimate may be late.
  let first = Math.ceil((from - anchorMicros) / intervalMicros) - 2;
  while (at(first) < from) first++;
  return (step: number) => at(first + step);
}

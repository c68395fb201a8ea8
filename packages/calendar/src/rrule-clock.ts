// Rules whose periods are hours, minutes or seconds: BYHOUR, BYMINUTE and BYSECOND keep whole
// periods out.
import { DAY_SECONDS } from "./civil.ts";
import type { RuleParts } from "./rrule-parts.ts";
import { alignPeriod, type BoundRule, type Search } from "./rrule-rule.ts";
import { spendSteps } from "./search-steps.ts";

/** The beginning of each period in which the rule has times. */
export function* clockPeriods(rule: BoundRule, search: Search): Generator<readonly number[]> {
  const { from, until, effort } = search;
  const unit = periodSeconds(rule.parts);
  const origin = Math.floor(rule.start / unit);
  const allowed = allowedTimes(rule.parts);
  let period = alignPeriod(Math.floor(from / unit), origin, rule.parts);
  for (; effort.left > 0; effort.left--) {
    spendSteps(1);
    const base = period * unit;
    const next = nextAllowed(rule, allowed, base, until);
    if (next === null) return;
    if (next > base) {
      period = alignPeriod(next / unit, origin, rule.parts);
      continue;
    }
    yield [base];
    period += rule.parts.interval;
  }
}

/** Whether the interval steps over every time of day that the rule allows, on all days. */
export function neverStrikes(rule: BoundRule): boolean {
  const unit = periodSeconds(rule.parts);
  const periodsPerDay = DAY_SECONDS / unit;
  const allowed = allowedTimes(rule.parts);
  const stride = greatestCommonDivisor(rule.parts.interval, periodsPerDay);
  const first = positiveRemainder(Math.floor(rule.start / unit), stride);
  for (let period = first; period < periodsPerDay; period += stride) {
    spendSteps(1 / 16);
    if (nextTimeOfDay(allowed, period * unit) === period * unit) return false;
  }
  return true;
}

/** Seconds of the day that periods may begin at; an empty list allows all. */
interface AllowedTimes {
  readonly hours: readonly number[];
  readonly minutes: readonly number[];
  readonly seconds: readonly number[];
}

function allowedTimes({ frequency, hours, minutes, seconds }: RuleParts): AllowedTimes {
  return {
    hours,
    minutes: frequency === "HOURLY" ? [] : minutes,
    seconds: frequency === "SECONDLY" ? seconds : [],
  };
}

/**
 * The wall-clock second itself if a period may begin there, otherwise one before which none begins.
 */
function nextAllowed(
  rule: BoundRule,
  allowed: AllowedTimes,
  wall: number,
  until: number,
): number | null {
  const today = Math.floor(wall / DAY_SECONDS);
  const day = rule.nextDay(today, Math.floor(until / DAY_SECONDS));
  if (day === null || wall > until) return null;
  if (day > today) return day * DAY_SECONDS;
  return today * DAY_SECONDS + nextTimeOfDay(allowed, wall - today * DAY_SECONDS);
}

function nextTimeOfDay({ hours, minutes, seconds }: AllowedTimes, time: number): number {
  const hour = Math.floor(time / 3600);
  const nextHour = nextOf(hours, hour) ?? 24;
  if (nextHour > hour) return nextHour * 3600;
  const minute = Math.floor(time / 60) % 60;
  const nextMinute = nextOf(minutes, minute) ?? 60;
  if (nextMinute > minute) return hour * 3600 + nextMinute * 60;
  const second = time % 60;
  return time - second + (nextOf(seconds, second) ?? 60);
}

function nextOf(values: readonly number[], value: number): number | undefined {
  return values.length === 0 ? value : values.find((candidate) => candidate >= value);
}

function periodSeconds({ frequency }: RuleParts): number {
  if (frequency === "SECONDLY") return 1;
  return frequency === "MINUTELY" ? 60 : 3600;
}

function greatestCommonDivisor(one: number, other: number): number {
  return other === 0 ? one : greatestCommonDivisor(other, one % other);
}

function positiveRemainder(value: number, divisor: number): number {
  return ((value % divisor) + divisor) % divisor;
}

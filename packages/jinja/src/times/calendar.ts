// The Gregorian calendar, also before it was in use, in whole numbers.

import {
  type CivilDate,
  civilDate as dateOf,
  daysInMonth,
  dayNumber as daysOf,
} from "@orchestrator/calendar";
import { TemplateError } from "../template-error.ts";
import { DAY_MICROS, SECOND_MICROS } from "./time-kinds.ts";

export { dateOf, daysInMonth, daysOf };

export interface ClockParts {
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly microsecond: number;
}

const floorDiv = (value: bigint, by: bigint): bigint => (value - (((value % by) + by) % by)) / by;

/** The day a wall clock is in, in days since 1970. */
export function wallDayNumber(wall: bigint): number {
  return Number(floorDiv(wall, DAY_MICROS));
}

export function clockOf(wall: bigint): ClockParts {
  const inDay = ((wall % DAY_MICROS) + DAY_MICROS) % DAY_MICROS;
  const seconds = Number(inDay / SECOND_MICROS);
  return {
    hour: Math.floor(seconds / 3600),
    minute: Math.floor(seconds / 60) % 60,
    second: seconds % 60,
    microsecond: Number(inDay % SECOND_MICROS),
  };
}

export function wallOf(days: number, { hour, minute, second, microsecond }: ClockParts): bigint {
  const seconds = BigInt(hour * 3600 + minute * 60 + second);
  return BigInt(days) * DAY_MICROS + seconds * SECOND_MICROS + BigInt(microsecond);
}

/** Monday is 0. */
export const weekdayOf = (days: number): number => (((days + 3) % 7) + 7) % 7;

export const dayOfYear = (days: number): number =>
  days - daysOf({ year: dateOf(days).year, month: 1, day: 1 }) + 1;

/** The week of a year as ISO counts them, and the year it belongs to. */
export function isoWeek(days: number): { readonly year: number; readonly week: number } {
  const thursday = days - weekdayOf(days) + 3;
  const { year } = dateOf(thursday);
  return { year, week: Math.floor((dayOfYear(thursday) - 1) / 7) + 1 };
}

/** Days since 1970 of a date that may not exist. */
export function checkedDays(date: CivilDate): number {
  const { year, month, day } = date;
  if (year < 1 || year > 9999) throw new TemplateError(`year ${year} is out of range`);
  if (month < 1 || month > 12) throw new TemplateError("month must be in 1..12");
  if (day < 1 || day > daysInMonth(year, month))
    throw new TemplateError("day is out of range for month");
  return daysOf(date);
}

const FIRST = BigInt(daysOf({ year: 1, month: 1, day: 1 })) * DAY_MICROS;
const LAST = BigInt(daysOf({ year: 10_000, month: 1, day: 1 })) * DAY_MICROS;

export function checkedWall(wall: bigint): bigint {
  if (wall < FIRST || wall >= LAST) throw new TemplateError("the date is out of range");
  return wall;
}

// Days of one month as the bits of a number: bit 0 is the first. Sets of days are combined with &
// and |.
import { civilDate, dayNumber, daysInMonth, weekday } from "./civil.ts";

const EVERY_SEVENTH_DAY = 0x1020_4081;

export interface Month {
  /** Months since the year 0. */
  readonly index: number;
  readonly year: number;
  /** 1 is January. */
  readonly month: number;
  readonly length: number;
  readonly firstDay: number;
}

export function monthAt(index: number): Month {
  const year = Math.floor(index / 12);
  const month = index - year * 12 + 1;
  const firstDay = dayNumber({ year, month, day: 1 });
  return { index, year, month, length: daysInMonth(year, month), firstDay };
}

export function monthIndexOf(day: number): number {
  const { year, month } = civilDate(day);
  return year * 12 + month - 1;
}

export function everyDay({ length }: Month): number {
  return 2 ** length - 1;
}

/**
 * The bit of a day of the month; negative days count from its end; no bit if the month lacks it.
 */
export function dayBit({ length }: Month, dayOfMonth: number): number {
  const day = dayOfMonth > 0 ? dayOfMonth : length + 1 + dayOfMonth;
  return day >= 1 && day <= length ? 1 << (day - 1) : 0;
}

export function weekdayBits(month: Month, day: number): number {
  return (EVERY_SEVENTH_DAY << firstOf(month, day)) & everyDay(month);
}

/** The bit of the nth such weekday; negative ones count from the end of the month. */
export function nthWeekdayBit(month: Month, day: number, nth: number): number {
  const first = firstOf(month, day) + 1;
  if (nth > 0) return dayBit(month, first + 7 * (nth - 1));
  const last = first + 7 * Math.floor((month.length - first) / 7);
  const wanted = last + 7 * (nth + 1);
  return wanted >= 1 ? dayBit(month, wanted) : 0;
}

/** The Monday to Friday nearest to a day without leaving its month. */
export function nearestWorkdayBit(month: Month, dayOfMonth: number): number {
  if (dayBit(month, dayOfMonth) === 0) return 0;
  const day = dayOfMonth > 0 ? dayOfMonth : month.length + 1 + dayOfMonth;
  const at = weekday(month.firstDay + day - 1);
  if (at === 6) return dayBit(month, day === 1 ? 3 : day - 1);
  if (at === 0) return dayBit(month, day === month.length ? day - 2 : day + 1);
  return dayBit(month, day);
}

/** How many days after the first of the set bits; the set must not be empty. */
export function lowestBit(bits: number): number {
  return 31 - Math.clz32(bits & -bits);
}

function firstOf(month: Month, day: number): number {
  return (day - weekday(month.firstDay) + 7) % 7;
}

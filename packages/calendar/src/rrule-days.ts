// Which days a recurrence rule allows. Asked month by month, so that long empty stretches cost
// little.
import { dayNumber } from "./civil.ts";
import {
  dayBit,
  everyDay,
  lowestBit,
  type Month,
  monthAt,
  monthIndexOf,
  nthWeekdayBit,
  weekdayBits,
} from "./month-days.ts";
import type { RuleParts, WeekdayPart } from "./rrule-parts.ts";
import { spendSteps } from "./search-steps.ts";

export type DayParts = Pick<
  RuleParts,
  "frequency" | "months" | "weekNumbers" | "yearDays" | "monthDays" | "weekdays" | "weekStart"
>;

/** The first allowed day at or after a day, or null if none comes up to the last day. */
export type NextDay = (day: number, lastDay: number) => number | null;

export function allowedDays(parts: DayParts): NextDay {
  let month = monthAt(0);
  let bits = 0;
  const { months, weekNumbers, yearDays, monthDays, weekdays } = parts;
  const steps = 1 / 4 + [months, weekNumbers, yearDays, monthDays, weekdays].flat().length / 16;
  const open = (index: number) => {
    spendSteps(steps);
    month = monthAt(index);
    bits = allowedBits(parts, month);
  };
  return (day, lastDay) => {
    if (day < month.firstDay || day >= month.firstDay + month.length) open(monthIndexOf(day));
    const passed = day - month.firstDay;
    let rest = (bits >>> passed) << passed;
    while (rest === 0) {
      if (month.firstDay + month.length > lastDay) return null;
      open(month.index + 1);
      rest = bits;
    }
    const found = month.firstDay + lowestBit(rest);
    return found <= lastDay ? found : null;
  };
}

/** Weeks counted from the one of 1970-01-01; they begin on `weekStart`. */
export function weekOf(day: number, weekStart: number): number {
  return Math.floor((day + 4 - weekStart) / 7);
}

export function firstDayOfWeek(week: number, weekStart: number): number {
  return week * 7 - 4 + weekStart;
}

function allowedBits(parts: DayParts, month: Month): number {
  if (parts.months.length > 0 && !parts.months.includes(month.month)) return 0;
  let bits = everyDay(month);
  if (parts.monthDays.length > 0) bits &= union(parts.monthDays, (day) => dayBit(month, day));
  if (parts.weekdays.length > 0)
    bits &= union(parts.weekdays, (part) => weekdayPartBits(parts, part, month));
  if (parts.yearDays.length > 0) bits &= union(parts.yearDays, (day) => yearDayBit(month, day));
  if (bits !== 0 && parts.weekNumbers.length > 0) bits &= weekNumberBits(parts, month);
  return bits;
}

function union<T>(items: readonly T[], bitsOf: (item: T) => number): number {
  return items.reduce((bits, item) => bits | bitsOf(item), 0);
}

function weekdayPartBits(parts: DayParts, { weekday, nth }: WeekdayPart, month: Month): number {
  if (nth === null) return weekdayBits(month, weekday);
  if (parts.frequency === "MONTHLY" || parts.months.length > 0)
    return nthWeekdayBit(month, weekday, nth);
  return weekdayBits(month, weekday) & nthWeekOfYearBits(month, nth);
}

/** The seven days of the year among which each weekday comes for the nth time. */
function nthWeekOfYearBits(month: Month, nth: number): number {
  const first = nth > 0 ? 1 + 7 * (nth - 1) : 7 * nth;
  return union([0, 1, 2, 3, 4, 5, 6], (i) => yearDayBit(month, first + i));
}

function yearDayBit(month: Month, yearDay: number): number {
  const newYear = firstDayOfYear(month.year);
  const nextYear = firstDayOfYear(month.year + 1);
  const day = yearDay > 0 ? newYear + yearDay - 1 : nextYear + yearDay;
  if (day < newYear || day >= nextYear) return 0;
  const dayOfMonth = day - month.firstDay + 1;
  return dayOfMonth < 1 ? 0 : dayBit(month, dayOfMonth);
}

function weekNumberBits(parts: DayParts, month: Month): number {
  const lastDay = month.firstDay + month.length - 1;
  let bits = 0;
  for (let day = month.firstDay; day <= lastDay; ) {
    const week = weekOf(day, parts.weekStart);
    const nextWeek = firstDayOfWeek(week + 1, parts.weekStart);
    if (isWeekNamed(parts, week, month.year))
      for (let named = day; named < nextWeek; named++)
        bits |= dayBit(month, named - month.firstDay + 1);
    day = nextWeek;
  }
  return bits;
}

/**
 * A week belongs to the year that has most of its days; negative numbers count from the year's last
 * week.
 */
function isWeekNamed(
  { weekNumbers, weekStart }: DayParts,
  week: number,
  nearYear: number,
): boolean {
  let year = nearYear;
  if (week < firstWeekOfYear(year, weekStart)) year--;
  else if (week >= firstWeekOfYear(year + 1, weekStart)) year++;
  const first = firstWeekOfYear(year, weekStart);
  const number = week - first + 1;
  if (weekNumbers.includes(number)) return true;
  const count = firstWeekOfYear(year + 1, weekStart) - first;
  return weekNumbers.includes(number - count - 1);
}

/** The week with January 4th in it. */
function firstWeekOfYear(year: number, weekStart: number): number {
  return weekOf(firstDayOfYear(year) + 3, weekStart);
}

function firstDayOfYear(year: number): number {
  return dayNumber({ year, month: 1, day: 1 });
}

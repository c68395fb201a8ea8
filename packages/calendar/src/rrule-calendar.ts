// Rules whose periods are years, months, weeks or days. Periods are numbered, so that a search
// begins in the period it asks for, however long ago the rule began.
import { civilDate, DAY_SECONDS, dayNumber } from "./civil.ts";
import { monthAt, monthIndexOf } from "./month-days.ts";
import { firstDayOfWeek, weekOf } from "./rrule-days.ts";
import type { RuleParts } from "./rrule-parts.ts";
import { alignPeriod, type BoundRule, type Search } from "./rrule-rule.ts";
import { spendSteps } from "./search-steps.ts";

/** The beginnings of the allowed days of each period that has any, period by period. */
export function* calendarPeriods(rule: BoundRule, search: Search): Generator<readonly number[]> {
  const { parts, nextDay } = rule;
  const { effort } = search;
  const periods = periodsOf(parts);
  const startDay = Math.floor(rule.start / DAY_SECONDS);
  const lastDay = Math.floor(search.until / DAY_SECONDS);
  const origin = periods.of(startDay);
  let period = alignPeriod(periods.of(Math.floor(search.from / DAY_SECONDS)), origin, parts);
  for (; effort.left > 0; effort.left--) {
    spendSteps(1);
    const next = nextDay(periods.firstDay(period), lastDay);
    if (next === null) return;
    const reached = periods.of(next);
    if (reached > period) {
      period = alignPeriod(reached, origin, parts);
      continue;
    }
    // BYSETPOS counts the days of the first week from the start on; longer periods are counted
    // whole.
    const isFirstWeek = parts.frequency === "WEEKLY" && period === origin;
    yield daysOf(rule, isFirstWeek ? startDay : next, periods.firstDay(period + 1) - 1);
    period += parts.interval;
  }
}

function daysOf({ nextDay }: BoundRule, first: number, last: number): readonly number[] {
  const days: number[] = [];
  for (let day = nextDay(first, last); day !== null; day = nextDay(day + 1, last))
    days.push(day * DAY_SECONDS);
  spendSteps(days.length / 8);
  return days;
}

interface Periods {
  readonly of: (day: number) => number;
  readonly firstDay: (period: number) => number;
}

function periodsOf({ frequency, weekStart }: RuleParts): Periods {
  if (frequency === "YEARLY")
    return {
      of: (day) => civilDate(day).year,
      firstDay: (year) => dayNumber({ year, month: 1, day: 1 }),
    };
  if (frequency === "MONTHLY")
    return { of: monthIndexOf, firstDay: (index) => monthAt(index).firstDay };
  if (frequency === "WEEKLY")
    return {
      of: (day) => weekOf(day, weekStart),
      firstDay: (week) => firstDayOfWeek(week, weekStart),
    };
  return { of: (day) => day, firstDay: (day) => day };
}

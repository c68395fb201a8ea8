// Which days of a month a cron expression names: the day-of-month and the day-of-week field
// together.
import {
  MONTH_DAYS,
  parseCronRange,
  parseValue,
  refuseField,
  splitItems,
  WEEKDAY,
} from "./cron-fields.ts";
import {
  dayBit,
  everyDay,
  type Month,
  nearestWorkdayBit,
  nthWeekdayBit,
  weekdayBits,
} from "./month-days.ts";

/** Days of one month, as bits. */
export type PickDays = (month: Month) => number;

export interface CronDays {
  readonly monthDays: string;
  readonly weekdays: string;
  readonly dayOr: boolean;
}

/** When both fields name days, either suffices (`dayOr`) or both must agree. */
export function parseCronDays({ monthDays, weekdays, dayOr }: CronDays): PickDays {
  const byMonthDay = isStar(monthDays) ? null : parseMonthDays(monthDays);
  const byWeekday = isStar(weekdays) ? null : parseWeekdays(weekdays);
  if (byMonthDay === null) return byWeekday ?? everyDay;
  if (byWeekday === null) return byMonthDay;
  if (dayOr) return (month) => byMonthDay(month) | byWeekday(month);
  return (month) => byMonthDay(month) & byWeekday(month);
}

function isStar(text: string): boolean {
  return text === "*" || text === "?";
}

function parseMonthDays(text: string): PickDays {
  return anyOf(splitItems(MONTH_DAYS, text).map(parseMonthDay));
}

/** `L` is the last day, `15W` the workday nearest to the 15th, `LW` the last workday. */
function parseMonthDay(item: string): PickDays {
  if (item === "L") return (month) => dayBit(month, -1);
  if (item === "LW") return (month) => nearestWorkdayBit(month, -1);
  const nearest = /^(\d+)W$/.exec(item)?.[1];
  if (nearest !== undefined) {
    const day = parseValue(MONTH_DAYS, nearest);
    return (month) => nearestWorkdayBit(month, day);
  }
  const days = parseCronRange(MONTH_DAYS, item);
  return (month) => days.reduce((bits, day) => bits | dayBit(month, day), 0);
}

function parseWeekdays(text: string): PickDays {
  return anyOf(splitItems(WEEKDAY, text).map(parseWeekday));
}

/** `5L` and `L5` are the last Friday of the month, `5#2` is its second. */
function parseWeekday(item: string): PickDays {
  const last = /^(\w+)L$/.exec(item)?.[1] ?? /^L(\w+)$/.exec(item)?.[1];
  if (last !== undefined) {
    const day = parseValue(WEEKDAY, last);
    return (month) => nthWeekdayBit(month, day, -1);
  }
  const [, name, nth] = /^([^#]*)#(.*)$/.exec(item) ?? [];
  if (name !== undefined && nth !== undefined) {
    const day = parseValue(WEEKDAY, name);
    if (!/^[1-5]$/.test(nth)) refuseField(WEEKDAY, item, "after # stands 1 to 5");
    return (month) => nthWeekdayBit(month, day, Number(nth));
  }
  const days = parseCronRange(WEEKDAY, item);
  return (month) => days.reduce((bits, day) => bits | weekdayBits(month, day), 0);
}

function anyOf(picks: readonly PickDays[]): PickDays {
  return (month) => picks.reduce((bits, pick) => bits | pick(month), 0);
}

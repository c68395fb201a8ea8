import { daysInMonth, daysOf, wallOf } from "./calendar.ts";
import { DateTime, SECOND_MICROS } from "./time-kinds.ts";

const TIME =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?)?\s*(Z|[+-]\d{2}:?\d{2})?$/;

/** A time that is written as usual; null for any other text. */
export function readTime(text: string): DateTime | null {
  const found = text.length > 64 ? null : TIME.exec(text.trim());
  if (found === null) return null;
  const [, year, month, day, hour = 0, minute = 0, second = 0, fraction = "", zone] = found;
  const date = { year: Number(year), month: Number(month), day: Number(day) };
  const clock = {
    hour: Number(hour),
    minute: Number(minute),
    second: Number(second),
    microsecond: Number(fraction.padEnd(6, "0").slice(0, 6)),
  };
  const isDate =
    date.year >= 1 &&
    date.month >= 1 &&
    date.month <= 12 &&
    date.day >= 1 &&
    date.day <= daysInMonth(date.year, date.month);
  if (!isDate || clock.hour > 23 || clock.minute > 59 || clock.second > 59) return null;
  return new DateTime(wallOf(daysOf(date), clock), zone === undefined ? null : offsetOf(zone));
}

function offsetOf(zone: string): bigint {
  const [, sign, hours = 0, minutes = 0] = /^([+-])(\d{2}):?(\d{2})$/.exec(zone) ?? [];
  const size = BigInt(Number(hours) * 60 + Number(minutes)) * 60n * SECOND_MICROS;
  return sign === "-" ? -size : size;
}

// Times and spans for people to read, in English.

import { fixedDigits } from "../exact-decimal.ts";
import { readTime } from "../times/read-time.ts";
import { formatTime } from "../times/strftime.ts";
import { DateTime, positionOf } from "../times/time-kinds.ts";
import {
  type FilterArguments,
  type HumanizeFilter,
  humanizableNumber,
  humanizableText,
  withCommas,
} from "./humanize-numbers.ts";

const SECOND = 1_000_000;
const DAY = 86_400 * SECOND;

/** Microseconds of a time that is written as usual; null where it is none. */
function timeIn(value: unknown): number | null {
  const time = typeof value === "string" ? readTime(value) : value;
  return time instanceof DateTime ? Number(positionOf(time)) : null;
}

const SPAN = /^(?:(\d{1,7}) days?, )?(\d{1,7}):(\d{2}):(\d{2})(\.\d{1,6})?$/;

/** Microseconds of a span: a number of seconds, or `1 day, 2:03:04`. */
function spanIn(value: unknown): number | null {
  const seconds = humanizableNumber(value);
  if (seconds !== null) return Math.abs(seconds) > 1e11 ? null : Math.round(seconds * SECOND);
  const found = typeof value === "string" ? SPAN.exec(value.trim()) : null;
  if (found === null) return null;
  const [, days = 0, hours, minutes, rest, fraction = 0] = found;
  const whole = ((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60 + Number(rest);
  return Math.round((whole + Number(fraction)) * SECOND);
}

const many = (count: number, word: string): string =>
  `${withCommas(String(count))} ${word}${count === 1 ? "" : "s"}`;

/** To the nearest whole number; halves to the even one. */
function rounded(value: number): number {
  const whole = Math.floor(value);
  const isUp = value - whole > 0.5 || (value - whole === 0.5 && whole % 2 === 1);
  return isUp ? whole + 1 : whole;
}

function naturaldelta(micros: number, given: FilterArguments): string {
  const size = Math.abs(micros);
  const allDays = Math.floor(size / DAY);
  if (allDays === 0) return withinDay(size, given);
  const years = Math.floor(allDays / 365);
  const days = allDays % 365;
  const hasMonths = given("months", 0) !== false;
  const months = rounded(days / 30.5);
  if (years === 0) {
    if (days === 1) return "a day";
    if (!hasMonths || months === 0) return many(days, "day");
    if (months === 12) return "a year";
    return months === 1 ? "a month" : many(months, "month");
  }
  if (years > 1) return many(years, "year");
  if (days === 0) return "a year";
  if (!hasMonths || months === 0) return `1 year, ${many(days, "day")}`;
  return months === 12 ? "2 years" : `1 year, ${many(months, "month")}`;
}

function withinDay(micros: number, given: FilterArguments): string {
  const seconds = Math.floor(micros / SECOND);
  if (seconds === 0)
    return withinSecond(micros, humanizableText(given("minimum_unit", 1)).toLowerCase());
  if (seconds < 60) return seconds === 1 ? "a second" : many(seconds, "second");
  const [minutes, hours] = [rounded(seconds / 60), rounded(seconds / 3600)];
  if (seconds < 3600 && minutes < 60) return minutes === 1 ? "a minute" : many(minutes, "minute");
  if (hours === 24) return "a day";
  return hours <= 1 ? "an hour" : many(hours, "hour");
}

function withinSecond(micros: number, smallest: string): string {
  if (smallest === "microseconds" && micros < 1000) return many(micros, "microsecond");
  if (smallest === "milliseconds" || smallest === "microseconds")
    return many(Math.floor(micros / 1000), "millisecond");
  return "a moment";
}

const UNITS = [
  ["year", 365 * DAY],
  ["month", 30.5 * DAY],
  ["day", DAY],
  ["hour", 3600 * SECOND],
  ["minute", 60 * SECOND],
  ["second", SECOND],
  ["millisecond", 1000],
  ["microsecond", 1],
] as const;

function precisedelta(micros: number, given: FilterArguments): string {
  const smallest = humanizableText(given("minimum_unit", 0)).toLowerCase() || "seconds";
  const last = Math.max(
    0,
    UNITS.findIndex(([name]) => smallest === `${name}s`),
  );
  const left = given("suppress", 1);
  const suppressed = new Set(Array.isArray(left) ? left.map(humanizableText) : []);
  const format = given("format", 2);
  const shown = UNITS.slice(0, last === 0 && smallest !== "years" ? 6 : last + 1).filter(
    ([name]) => !suppressed.has(`${name}s`),
  );
  let rest = Math.abs(micros);
  const parts = shown.flatMap(([name, length], index) => {
    const isLast = index === shown.length - 1;
    const count = isLast ? rest / length : Math.floor(rest / length);
    rest -= isLast ? rest : count * length;
    // A month has thirty days and a half; half a day that is left of one is nobody's.
    if (name === "month") rest -= count % 2 === 1 ? DAY / 2 : 0;
    if (count === 0) return [];
    const text = Number.isInteger(count) ? withCommas(String(count)) : decimal(count, format);
    return [`${text} ${name}${text === "1" ? "" : "s"}`];
  });
  if (parts.length === 0) return `0 ${shown.at(-1)?.[0] ?? "second"}s`;
  const end = parts.pop() ?? "";
  return parts.length === 0 ? end : `${parts.join(", ")} and ${end}`;
}

function decimal(count: number, format: unknown): string {
  const digits = typeof format === "string" ? /%\d*\.(\d)f/.exec(format)?.[1] : undefined;
  if (format === "%d") return String(Math.trunc(count));
  return fixedDigits(count, Number(digits ?? 2));
}

const dayOf = (micros: number): number => Math.floor(micros / DAY);

const writeDate = (micros: number, format: string): string =>
  formatTime(new DateTime(BigInt(micros), 0n), format);

function naturalday(micros: number, now: number, format: string): string {
  const apart = dayOf(micros) - dayOf(now);
  if (apart === 0) return "today";
  if (apart === 1) return "tomorrow";
  return apart === -1 ? "yesterday" : writeDate(micros, format);
}

const FIVE_MONTHS = (5 * 365 * DAY) / 12;

/** A span, or how far a time is from now; whatever is neither comes out as it went in. */
const ofSpan =
  (work: (micros: number, given: FilterArguments) => string): HumanizeFilter =>
  (value, given, now) => {
    const time = timeIn(value);
    const micros = time === null ? spanIn(value) : now() - time;
    return micros === null ? humanizableText(value) : work(micros, given);
  };

const ofTime =
  (work: (micros: number, given: FilterArguments, now: number) => string): HumanizeFilter =>
  (value, given, now) => {
    const micros = timeIn(value);
    return micros === null ? humanizableText(value) : work(micros, given, now());
  };

const naturaltime: HumanizeFilter = (value, given, now) => {
  const time = timeIn(value);
  const span = spanIn(value);
  if (time === null && span === null) return humanizableText(value);
  const when = timeIn(given("when", 3)) ?? now();
  // A number of seconds has no direction of its own.
  const isAhead = given("future", 0) === true && typeof value === "number";
  const distance = typeof value === "number" ? Math.abs(span ?? 0) : (span ?? 0);
  const ago = time === null ? (isAhead ? -1 : 1) * distance : when - time;
  const text = naturaldelta(ago, (name) => given(name, name === "months" ? 1 : 2));
  if (text === "a moment") return "now";
  return ago > 0 ? `${text} ago` : `${text} from now`;
};

export const HUMANIZE_TIMES: Readonly<Record<string, HumanizeFilter>> = {
  humanize_naturaldelta: ofSpan(naturaldelta),
  humanize_precisedelta: ofSpan(precisedelta),
  humanize_abs_timedelta: ofSpan((micros) => String(Math.abs(micros) / SECOND)),
  humanize_naturaltime: naturaltime,
  humanize_naturalday: ofTime((micros, given, now) =>
    naturalday(micros, now, humanizableText(given("format", 0)) || "%b %d"),
  ),
  humanize_naturaldate: ofTime((micros, _given, now) => {
    const isFar = Math.abs(micros - now) >= FIVE_MONTHS;
    return naturalday(micros, now, isFar ? "%b %d %Y" : "%b %d");
  }),
};

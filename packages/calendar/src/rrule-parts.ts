// The parts of one recurrence rule, `FREQ=WEEKLY;BYDAY=MO,WE;…`, read and checked (RFC 5545,
// 3.3.10).
import { ascending } from "./ascending.ts";
import { parseWallTime } from "./rrule-times.ts";
import { quoteShortened, refuse } from "./schedule-error.ts";

/** From the longest period to the shortest. */
export const FREQUENCIES = [
  "YEARLY",
  "MONTHLY",
  "WEEKLY",
  "DAILY",
  "HOURLY",
  "MINUTELY",
  "SECONDLY",
] as const;
export type Frequency = (typeof FREQUENCIES)[number];

export interface WeekdayPart {
  /** 0 is Sunday. */
  readonly weekday: number;
  /** Which one of the month or year, from its end if negative; null is every one. */
  readonly nth: number | null;
}

/** A rule as it was written; an empty list stands for a part that is not there. */
export interface RuleParts {
  readonly frequency: Frequency;
  readonly interval: number;
  readonly count: number | null;
  /** Wall-clock second of the last possible occurrence. */
  readonly until: number | null;
  readonly isUntilUtc: boolean;
  readonly weekStart: number;
  readonly positions: readonly number[];
  readonly months: readonly number[];
  readonly weekNumbers: readonly number[];
  readonly yearDays: readonly number[];
  readonly monthDays: readonly number[];
  readonly weekdays: readonly WeekdayPart[];
  readonly hours: readonly number[];
  readonly minutes: readonly number[];
  readonly seconds: readonly number[];
}

const WEEKDAYS = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"];
const MOST_INTERVALS = 1_000_000_000;

const KNOWN = new Set(
  "FREQ INTERVAL COUNT UNTIL WKST BYSETPOS BYMONTH BYWEEKNO BYYEARDAY BYMONTHDAY BYDAY BYHOUR BYMINUTE BYSECOND".split(
    " ",
  ),
);

export function parseRuleParts(text: string): RuleParts {
  const parts = splitParts(text);
  const frequency = parseFrequency(parts.get("FREQ"));
  const until = parts.get("UNTIL");
  return {
    frequency,
    interval: parseCounter("INTERVAL", parts.get("INTERVAL")) ?? 1,
    count: parseCounter("COUNT", parts.get("COUNT")),
    until: until === undefined ? null : parseWallTime("UNTIL", until),
    isUntilUtc: until?.endsWith("Z") ?? false,
    weekStart: parseWeekStart(parts.get("WKST")),
    positions: parseNumbers(parts, "BYSETPOS", { min: 1, max: 366, fromEnd: true }),
    months: parseNumbers(parts, "BYMONTH", { min: 1, max: 12 }),
    weekNumbers: parseNumbers(parts, "BYWEEKNO", { min: 1, max: 53, fromEnd: true }),
    yearDays: parseNumbers(parts, "BYYEARDAY", { min: 1, max: 366, fromEnd: true }),
    monthDays: parseNumbers(parts, "BYMONTHDAY", { min: 1, max: 31, fromEnd: true }),
    weekdays: parseWeekdays(frequency, parts.get("BYDAY")),
    hours: parseNumbers(parts, "BYHOUR", { min: 0, max: 23 }),
    minutes: parseNumbers(parts, "BYMINUTE", { min: 0, max: 59 }),
    seconds: parseNumbers(parts, "BYSECOND", { min: 0, max: 59 }),
  };
}

export function isClockRule({ frequency }: RuleParts): boolean {
  return frequency === "HOURLY" || frequency === "MINUTELY" || frequency === "SECONDLY";
}

function splitParts(text: string): ReadonlyMap<string, string> {
  const parts = new Map<string, string>();
  for (const part of text.split(";")) {
    const [name = "", value = "", ...more] = part.split("=");
    if (value === "" || more.length > 0)
      refuse(`A part of a recurrence rule is NAME=VALUE, not ${quoteShortened(part)}.`);
    if (!KNOWN.has(name)) refuse(`${quoteShortened(name)} is not a part of a recurrence rule.`);
    if (parts.has(name)) refuse(`A recurrence rule gives ${name} once, not twice.`);
    parts.set(name, value);
  }
  return parts;
}

function parseFrequency(text: string | undefined): Frequency {
  const frequency = FREQUENCIES.find((known) => known === text);
  if (frequency !== undefined) return frequency;
  const list = FREQUENCIES.join(", ");
  if (text === undefined) return refuse(`A recurrence rule needs FREQ, one of ${list}.`);
  return refuse(`FREQ is one of ${list}, not ${quoteShortened(text)}.`);
}

function parseCounter(name: string, text: string | undefined): number | null {
  if (text === undefined) return null;
  const value = /^\d{1,10}$/.test(text) ? Number(text) : 0;
  if (value >= 1 && value <= MOST_INTERVALS) return value;
  return refuse(
    `${name} is a whole number from 1 to ${MOST_INTERVALS}, not ${quoteShortened(text)}.`,
  );
}

function parseWeekStart(text: string | undefined): number {
  if (text === undefined) return 1;
  const day = WEEKDAYS.indexOf(text);
  return day >= 0 ? day : refuse(`WKST is a weekday such as MO, not ${quoteShortened(text)}.`);
}

interface Range {
  readonly min: number;
  readonly max: number;
  /** Whether negative numbers count from the end. */
  readonly fromEnd?: boolean;
}

function parseNumbers(
  parts: ReadonlyMap<string, string>,
  name: string,
  { min, max, fromEnd = false }: Range,
): readonly number[] {
  const text = parts.get(name);
  if (text === undefined) return [];
  const numbers = text.split(",").map((item) => {
    const value = /^[+-]?\d{1,3}$/.test(item) ? Number(item) : Number.NaN;
    const size = fromEnd ? Math.abs(value) : value;
    if (size >= min && size <= max) return value;
    const either = fromEnd ? `, or -${max} to -${min}` : "";
    return refuse(`${name} takes ${min} to ${max}${either}, not ${quoteShortened(item)}.`);
  });
  return ascending(numbers);
}

function parseWeekdays(frequency: Frequency, text: string | undefined): readonly WeekdayPart[] {
  if (text === undefined) return [];
  return text.split(",").map((item) => {
    const [, nthText, name = ""] = /^([+-]?\d{1,2})?([A-Z]{2})$/.exec(item) ?? [];
    const weekday = WEEKDAYS.indexOf(name);
    if (weekday < 0)
      refuse(`BYDAY takes weekdays such as MO or -1FR, not ${quoteShortened(item)}.`);
    if (nthText === undefined) return { weekday, nth: null };
    const nth = Number(nthText);
    if (nth === 0 || Math.abs(nth) > 53)
      refuse(`BYDAY counts 1 to 53, not ${quoteShortened(item)}.`);
    if (frequency !== "YEARLY" && frequency !== "MONTHLY")
      refuse(`BYDAY counts weekdays (${quoteShortened(item)}) in a YEARLY or MONTHLY rule only.`);
    return { weekday, nth };
  });
}

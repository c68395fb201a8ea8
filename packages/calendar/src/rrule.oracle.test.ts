// The evaluator against the rrule library, in UTC: with zones that library depends on the host's
// own.

import fc from "fast-check";
import { rrulestr } from "rrule";
import { expect, test } from "vitest";
import { rounds } from "../../../tests/support/rounds.ts";
import { occurrences } from "./occurrences.ts";
import { parseRRule } from "./rrule.ts";

const DAY_SECONDS = 86_400;
const YEAR_2020 = Date.parse("2020-01-01T00:00:00Z") / 1000;
const COUNT = 15;
/** Fixed, so that a bug of the library that is not known yet does not appear at random. */
const SEED = 5545;

const WEEKDAYS = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"];

/** Smallest first: the library runs BYMINUTE=1,0 in the order written. */
function part(
  name: string,
  values: fc.Arbitrary<number | string>,
  maxLength = 4,
): fc.Arbitrary<string> {
  return fc
    .uniqueArray(values, { minLength: 1, maxLength })
    .map((list) => `${name}=${list.toSorted((a, b) => Number(a) - Number(b)).join(",")}`);
}

function eitherEnd(max: number): fc.Arbitrary<number> {
  return fc.integer({ min: -max, max }).filter((value) => value !== 0);
}

const weekdays = part("BYDAY", fc.constantFrom(...WEEKDAYS));
const nthWeekdays = (most: number) =>
  part(
    "BYDAY",
    fc.tuple(eitherEnd(most), fc.constantFrom(...WEEKDAYS)).map(([nth, day]) => `${nth}${day}`),
  );
const monthDays = part("BYMONTHDAY", eitherEnd(31), 8);
const months = part("BYMONTH", fc.integer({ min: 1, max: 12 }), 6);
const hours = part("BYHOUR", fc.integer({ min: 0, max: 23 }));
const minutes = part("BYMINUTE", fc.integer({ min: 0, max: 59 }));
const seconds = part("BYSECOND", fc.integer({ min: 0, max: 59 }));
/**
 * One position, and from the end only -1: the library takes -2 of a single time for that time, and
 * repeats a time that two name.
 */
const positions = part("BYSETPOS", fc.constantFrom(-1, 1, 2, 3), 1);
const weekStart = fc.constantFrom(...WEEKDAYS).map((day) => `WKST=${day}`);

function rules(
  frequency: string,
  maxInterval: number,
  ...parts: fc.Arbitrary<string>[]
): fc.Arbitrary<string> {
  const interval = fc.integer({ min: 1, max: maxInterval }).map((value) => `INTERVAL=${value}`);
  return fc
    .tuple(...[interval, weekStart, ...parts].map((each) => fc.option(each)))
    .map((chosen) => [`FREQ=${frequency}`, ...chosen.filter((each) => each !== null)].join(";"));
}

const anyRule = fc.oneof(
  rules(
    "YEARLY",
    3,
    months,
    fc.oneof(weekdays, nthWeekdays(4)),
    hours,
    minutes,
    seconds,
    positions,
  ),
  rules("YEARLY", 2, monthDays, months, hours, positions),
  rules("YEARLY", 2, nthWeekdays(30), hours),
  rules("YEARLY", 2, part("BYYEARDAY", eitherEnd(366)), hours, positions),
  rules(
    "YEARLY",
    2,
    part("BYWEEKNO", fc.oneof(fc.integer({ min: 1, max: 53 }), fc.integer({ min: -51, max: -1 }))),
    weekdays,
    hours,
  ),
  rules(
    "MONTHLY",
    5,
    fc.oneof(weekdays, nthWeekdays(4), monthDays),
    hours,
    minutes,
    seconds,
    positions,
  ),
  rules("MONTHLY", 5, monthDays, weekdays, months),
  rules("WEEKLY", 5, weekdays, hours, minutes, positions),
  rules("WEEKLY", 3, weekdays, months, seconds),
  rules("DAILY", 40, fc.oneof(weekdays, monthDays), hours, minutes, seconds, positions),
  rules("DAILY", 9, months, hours),
  rules("HOURLY", 50, weekdays, minutes, seconds, positions),
  rules("HOURLY", 1, hours, months, minutes),
  rules("MINUTELY", 2000, weekdays, seconds, positions),
  rules("MINUTELY", 1, hours, minutes),
  rules("SECONDLY", 100_000, weekdays),
  rules("SECONDLY", 1, minutes, seconds),
);

const starts = fc.integer({ min: YEAR_2020, max: YEAR_2020 + 3 * 366 * DAY_SECONDS });

function stamp(second: number): string {
  return new Date(second * 1000).toISOString().slice(0, 19).replaceAll(/[-:]/g, "");
}

function ours(text: string, from: number, limit: number): number[] {
  const until = (from + 3 * 366 * DAY_SECONDS) * 1e6;
  const schedule = { kind: "rrule", rrule: text, timezone: "UTC" } as const;
  return occurrences(schedule, { from: from * 1e6, until, limit }).map((micros) => micros / 1e6);
}

function theirs(text: string, from: number, until: number): number[] {
  const dates = rrulestr(text).between(new Date(from * 1000), new Date(until * 1000), true);
  return dates.map((date) => date.getTime() / 1000);
}

/** Compares a stretch near the start: the library walks to it, and forever if there is none. */
function expectSame(text: string, start: number, skipped: number): void {
  fc.pre(parseRRule(text).problem === null);
  const from = ours(text, start, skipped).at(-1) ?? start;
  const found = ours(text, from, COUNT);
  const until = found.at(-1);
  fc.pre(until !== undefined && found.length === COUNT);
  expect(found.map(stamp)).toEqual(theirs(text, from, until).map(stamp));
}

test("a rule occurs where the library says", () => {
  fc.assert(
    fc.property(anyRule, starts, fc.integer({ min: 1, max: 40 }), (rule, start, skipped) => {
      expectSame(`DTSTART:${stamp(start)}\nRRULE:${rule}`, start, skipped);
    }),
    { numRuns: rounds(60, 300), seed: SEED },
  );
});

test("a set of rules, counted, ended and with exceptions, occurs where the library says", () => {
  const counted = fc
    .tuple(anyRule, fc.integer({ min: 100, max: 200 }))
    .map(([rule, count]) => `RRULE:${rule};COUNT=${count}`);
  const ended = anyRule.map((rule) => `RRULE:${rule};UNTIL=20231231T235959`);
  const plain = anyRule.map((rule) => `RRULE:${rule}`);
  const dates = fc
    .uniqueArray(starts, { minLength: 1, maxLength: 5 })
    .map((list) => `RDATE:${list.map(stamp).join(",")}`);
  const except = rules("WEEKLY", 3, weekdays).map((rule) => `EXRULE:${rule}`);
  fc.assert(
    fc.property(
      fc.oneof(counted, ended, plain),
      fc.uniqueArray(fc.oneof(plain, counted, dates, except), { minLength: 1, maxLength: 3 }),
      starts,
      fc.integer({ min: 1, max: 40 }),
      (first, others, start, skipped) => {
        expectSame([`DTSTART:${stamp(start)}`, first, ...others].join("\n"), start, skipped);
      },
    ),
    { numRuns: rounds(20, 80), seed: SEED },
  );
});

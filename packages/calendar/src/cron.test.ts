import { describe, expect, test } from "vitest";
import { type CronOptions, cronWalls, parseCron } from "./cron.ts";

const UNTIL = Date.parse("2201-01-01T00:00:00Z") / 1000;

function next(text: string, from: string, count: number, options?: CronOptions): string[] {
  const { value, problem } = parseCron(text, options);
  if (value === null) throw new Error(problem);
  const found = [];
  for (const wall of cronWalls(value, Date.parse(`${from}Z`) / 1000, UNTIL)) {
    if (found.length === count) break;
    found.push(new Date(wall * 1000).toISOString().slice(0, 19));
  }
  return found;
}

/** The days of the month on which it occurs. */
function days(text: string, month: string, options?: CronOptions): number[] {
  return next(text, `${month}-01T00:00:00`, 40, options)
    .filter((time) => time.startsWith(month))
    .map((time) => Number(time.slice(8, 10)));
}

describe("a cron expression", () => {
  test("includes the second it starts from", () => {
    expect(next("0 9 * * *", "2026-01-01T09:00:00", 2)).toEqual([
      "2026-01-01T09:00:00",
      "2026-01-02T09:00:00",
    ]);
    expect(next("0 9 * * *", "2026-01-01T09:00:01", 1)).toEqual(["2026-01-02T09:00:00"]);
  });

  test("has seconds last, or first if asked", () => {
    const from = "2026-01-01T00:00:00";
    expect(next("1 2 3 4 * 5", from, 1)).toEqual(["2026-04-03T02:01:05"]);
    expect(next("5 1 2 3 4 *", from, 1, { seconds: "first" })).toEqual(["2026-04-03T02:01:05"]);
    expect(next("1 2 3 4 *", from, 1, { seconds: "first" })).toEqual(["2026-04-03T02:01:00"]);
    expect(next("* * * * * */20", from, 4)).toEqual([
      "2026-01-01T00:00:00",
      "2026-01-01T00:00:20",
      "2026-01-01T00:00:40",
      "2026-01-01T00:01:00",
    ]);
  });

  test.each([
    ["@hourly", "2026-05-05T06:00:00"],
    ["@daily", "2026-05-06T00:00:00"],
    ["@midnight", "2026-05-06T00:00:00"],
    ["@MIDNIGHT", "2026-05-06T00:00:00"],
    ["@weekly", "2026-05-10T00:00:00"],
    ["@monthly", "2026-06-01T00:00:00"],
    ["@yearly", "2027-01-01T00:00:00"],
    ["@annually", "2027-01-01T00:00:00"],
    [" 0\t6  * * * ", "2026-05-05T06:00:00"],
    ["5/20 * * * *", "2026-05-05T05:45:00"],
    ["50-10/10 7 * * *", "2026-05-05T07:00:00"],
    ["0 22-2 * * *", "2026-05-05T22:00:00"],
    ["00 09 * * *", "2026-05-05T09:00:00"],
    ["0 */24 * * *", "2026-05-06T00:00:00"],
    ["0 0 1 jan *", "2027-01-01T00:00:00"],
    ["0 0 1 NOV-FEB *", "2026-11-01T00:00:00"],
    ["5-5 * * * *", "2026-05-05T06:05:00"],
    ["*,5 5 * * *", "2026-05-05T05:31:00"],
    ["? ? ? ? ?", "2026-05-05T05:31:00"],
    ["0 0 29 2 *", "2028-02-29T00:00:00"],
  ])("%j occurs next at %s", (text, expected) => {
    expect(next(text, "2026-05-05T05:30:01", 1)).toEqual([expected]);
  });

  test.each([
    ["0 0 L * *", "2024-02", [29]],
    ["0 0 L * *", "2026-02", [28]],
    ["0 0 1,L * *", "2026-04", [1, 30]],
    ["0 0 28-L * *", "2026-04", [28, 29, 30]],
    ["0 0 31 * *", "2026-04", []],
    ["0 0 30-2 * *", "2026-03", [1, 2, 30, 31]],
    ["0 0 */10 * *", "2026-03", [1, 11, 21, 31]],
    ["0 0 15W * *", "2026-08", [14]], // the 15th is a Saturday
    ["0 0 15W * *", "2026-02", [16]], // a Sunday
    ["0 0 15W * *", "2026-09", [15]],
    ["0 0 1W * *", "2026-08", [3]], // a Saturday: not back into July
    ["0 0 31W * *", "2026-05", [29]], // a Sunday: not on into June
    ["0 0 31W * *", "2026-04", []],
    ["0 0 LW * *", "2026-05", [29]],
    ["0 0 * * 0", "2026-03", [1, 8, 15, 22, 29]],
    ["0 0 * * 7", "2026-03", [1, 8, 15, 22, 29]],
    ["0 0 * * SUN", "2026-03", [1, 8, 15, 22, 29]],
    ["0 0 * * 5-7", "2026-03", [1, 6, 7, 8, 13, 14, 15, 20, 21, 22, 27, 28, 29]],
    ["0 0 * * FRI-MON", "2026-02", [1, 2, 6, 7, 8, 9, 13, 14, 15, 16, 20, 21, 22, 23, 27, 28]],
    ["0 0 * * MON/2", "2026-02", [2, 4, 6, 9, 11, 13, 16, 18, 20, 23, 25, 27]],
    ["0 0 * * 5L", "2026-05", [29]],
    ["0 0 * * L5", "2026-05", [29]],
    ["0 0 * * FRIL", "2026-02", [27]],
    ["0 0 * * 5#2", "2026-05", [8]],
    ["0 0 * * 5#5", "2026-05", [29]],
    ["0 0 * * 5#5", "2026-06", []],
    ["0 0 * * 7#1", "2026-03", [1]],
    ["0 0 * * TUE#2,L5", "2026-05", [12, 29]],
    ["0 0 * * 1#1,3", "2026-05", [4, 6, 13, 20, 27]],
    ["0 0 13 * FRI", "2026-03", [6, 13, 20, 27]],
    ["0 0 10 * FRI", "2026-03", [6, 10, 13, 20, 27]],
    ["0 0 ? * MON", "2026-03", [2, 9, 16, 23, 30]],
  ])("%j falls in %s on the days %j", (text, month, expected) => {
    expect(days(text, month)).toEqual(expected);
  });

  test.each([
    ["0-7", [0, 1, 2, 3, 4, 5, 6]],
    ["SUN-7", [0, 1, 2, 3, 4, 5, 6]],
    ["3,0-7", [0, 1, 2, 3, 4, 5, 6]],
    ["0-7/2", [0, 2, 4, 6]],
    ["0-7/3", [0, 3, 6]],
    ["0-7/4", [0, 4]],
    ["0-7/7", [0]],
    ["1-7", [0, 1, 2, 3, 4, 5, 6]],
    ["1-7/2", [0, 1, 3, 5]],
    ["1-7/3", [0, 1, 4]],
    ["2-7/2", [2, 4, 6]],
    ["5-7", [0, 5, 6]],
    ["6-7", [0, 6]],
    ["6-7/2", [6]],
    ["7-2", [0, 1, 2]],
  ])("the weekdays %j are %j: 7 ends a week as 0 begins it", (weekdays, expected) => {
    // 1 February 2026 is a Sunday.
    const found = days(`0 0 * * ${weekdays}`, "2026-02").filter((day) => day <= 7);
    expect(found.map((day) => day - 1)).toEqual(expected);
  });

  test("with both day fields occurs where they agree, if so asked", () => {
    expect(days("0 0 13 * FRI", "2026-03", { dayOr: false })).toEqual([13]);
    expect(days("0 0 14 * FRI", "2026-03", { dayOr: false })).toEqual([]);
    expect(days("0 0 1-7 * MON", "2026-03", { dayOr: false })).toEqual([2]);
    expect(days("0 0 * * MON", "2026-03", { dayOr: false })).toEqual([2, 9, 16, 23, 30]);
  });

  test("finds rare days across decades", () => {
    // The 29th of February on a Monday.
    expect(next("0 0 29 2 1", "2026-01-01T00:00:00", 3, { dayOr: false })).toEqual([
      "2044-02-29T00:00:00",
      "2072-02-29T00:00:00",
      "2112-02-29T00:00:00",
    ]);
  });

  test.each(["0 0 31 2 *", "0 0 30 2 *", "0 0 31 4,6,9,11 *", "0 0 30W 2 *"])(
    "%j never occurs, and the search ends",
    (text) => {
      expect(next(text, "1970-01-01T00:00:00", 1)).toEqual([]);
    },
  );
});

describe("a cron expression is refused:", () => {
  test.each([
    ["", 'A cron expression has 5 fields, or 6 with seconds; "" has 0.'],
    ["* * * *", 'A cron expression has 5 fields, or 6 with seconds; "* * * *" has 4.'],
    ["* * * * * * *", 'A cron expression has 5 fields, or 6 with seconds; "* * * * * * *" has 7.'],
    [
      "@reboot",
      '"@reboot" is none of @hourly, @daily, @midnight, @weekly, @monthly, @yearly, @annually.',
    ],
    ["60 * * * *", 'The minute field of the cron expression is wrong at "60": a value is 0 to 59.'],
    [
      "-5 * * * *",
      'The minute field of the cron expression is wrong at "-5": it is neither a value, a range nor a step.',
    ],
    [
      "1.5 * * * *",
      'The minute field of the cron expression is wrong at "1.5": it is neither a value, a range nor a step.',
    ],
    ["* 24 * * *", 'The hour field of the cron expression is wrong at "24": a value is 0 to 23.'],
    [
      "* * 0 * *",
      'The day-of-month field of the cron expression is wrong at "0": a value is 1 to 31.',
    ],
    [
      "* * 32 * *",
      'The day-of-month field of the cron expression is wrong at "32": a value is 1 to 31.',
    ],
    [
      "* * * 13 *",
      'The month field of the cron expression is wrong at "13": a value is 1 to 12 or JAN to DEC.',
    ],
    [
      "* * * JANUARY *",
      'The month field of the cron expression is wrong at "JANUARY": a value is 1 to 12 or JAN to DEC.',
    ],
    [
      "* * * * 8",
      'The day-of-week field of the cron expression is wrong at "8": a value is 0 to 7 or SUN to SAT.',
    ],
    [
      "* * * * FUN",
      'The day-of-week field of the cron expression is wrong at "FUN": a value is 0 to 7 or SUN to SAT.',
    ],
    [
      "* * * * * 60",
      'The second field of the cron expression is wrong at "60": a value is 0 to 59.',
    ],
    [
      "*/0 * * * *",
      'The minute field of the cron expression is wrong at "*/0": a step is 1 to 60.',
    ],
    [
      "*/90 * * * *",
      'The minute field of the cron expression is wrong at "*/90": a step is 1 to 60.',
    ],
    [
      "1,,2 * * * *",
      'The minute field of the cron expression is wrong at "1,,2": an item of its list is empty.',
    ],
    [
      "1-2-3 * * * *",
      'The minute field of the cron expression is wrong at "1-2-3": it is neither a value, a range nor a step.',
    ],
    [
      "*-5 * * * *",
      'The minute field of the cron expression is wrong at "*-5": it is neither a value, a range nor a step.',
    ],
    [
      "*/2/3 * * * *",
      'The minute field of the cron expression is wrong at "*/2/3": it is neither a value, a range nor a step.',
    ],
    [
      "H * * * *",
      'The minute field of the cron expression is wrong at "H": random and hashed values are not supported.',
    ],
    [
      "0 h(9-17) * * *",
      'The hour field of the cron expression is wrong at "h(9-17)": random and hashed values are not supported.',
    ],
    [
      "0 0 R * *",
      'The day-of-month field of the cron expression is wrong at "R": random and hashed values are not supported.',
    ],
    [
      "R/15 * * * *",
      'The minute field of the cron expression is wrong at "R/15": random and hashed values are not supported.',
    ],
    ["L * * * *", 'The minute field of the cron expression is wrong at "L": a value is 0 to 59.'],
    [
      "0 0 L-3 * *",
      'The day-of-month field of the cron expression is wrong at "L": a value is 1 to 31.',
    ],
    [
      "0 0 32W * *",
      'The day-of-month field of the cron expression is wrong at "32": a value is 1 to 31.',
    ],
    [
      "0 0 W * *",
      'The day-of-month field of the cron expression is wrong at "W": a value is 1 to 31.',
    ],
    [
      "0 0 * * L",
      'The day-of-week field of the cron expression is wrong at "L": a value is 0 to 7 or SUN to SAT.',
    ],
    [
      "0 0 * * 1#6",
      'The day-of-week field of the cron expression is wrong at "1#6": after # stands 1 to 5.',
    ],
    [
      "0 0 * * #1",
      'The day-of-week field of the cron expression is wrong at "": a value is 0 to 7 or SUN to SAT.',
    ],
    [
      "0 0 * * 1#2#3",
      'The day-of-week field of the cron expression is wrong at "1#2#3": after # stands 1 to 5.',
    ],
  ])("%j", (text, problem) => {
    expect(parseCron(text).problem).toBe(problem);
  });

  test("too long", () => {
    expect(parseCron(`${"1,".repeat(1000)}1 * * * *`).problem).toBe(
      "A cron expression has at most 500 characters.",
    );
  });

  test("the seconds are named wherever they stand", () => {
    expect(parseCron("60 * * * * *", { seconds: "first" }).problem).toMatch(
      /^The second field .* "60"/,
    );
  });
});

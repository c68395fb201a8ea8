import { expect, test } from "vitest";
import { unreadableInSchedule } from "./readable.rules.ts";

test.each([
  ["0 0 * * 5L", "The last Friday of a month is written L5, not 5L or LFRI."],
  ["0 0 * * FRIL", "The last Friday of a month is written L5, not 5L or LFRI."],
  ["0 0 * * LFRI", "The last Friday of a month is written L5, not 5L or LFRI."],
  ["0 0 * * 1,L5", "Days such as 5#2 or L5 are not listed beside days of every week."],
  ["0 0 * * 1,5#2", "Days such as 5#2 or L5 are not listed beside days of every week."],
  ["0 0 15W * *", "The workday nearest to a day (15W, LW) is not supported."],
  ["0 0 1,lw * *", "The workday nearest to a day (15W, LW) is not supported."],
  ["? 0 * * *", "A ? stands for the day-of-month or the day-of-week field only."],
  ["0 0 * * * ?", "A ? stands for the day-of-month or the day-of-week field only."],
  ["0 0 ?/2 * *", "A ? stands alone in its field."],
  ["0 0 * * 1-7 0", "With seconds in the expression, Sunday is 0 and not 7."],
  [" @daily", "No blanks stand around an alias such as @daily."],
])("the cron expression %j is not for every client: %s", (cron, problem) => {
  expect(unreadableInSchedule({ cron })).toBe(problem);
});

test.each([
  "@daily",
  " 0 0 * * *",
  "0 0 L * *",
  "0 0 1,L * *",
  "0 0 ? * ?",
  "0 0 * * L5",
  "0 0 * * l5,2#1",
  "0 0 * JUL MON-FRI 5",
  "0 0 * * */7 5",
  "0 0 * * 7",
])("the cron expression %j is for every client", (cron) => {
  expect(unreadableInSchedule({ cron })).toBeNull();
});

test("a recurrence rule is not for every client where its dates have a zone or no time", () => {
  const problem = "RDATE takes no parameter but VALUE=DATE-TIME.";
  for (const parameter of ["TZID=Europe/Paris", "VALUE=DATE", "VALUE=DATE-TIME;TZID=Asia/Tokyo"])
    expect(unreadableInSchedule({ rrule: `FREQ=DAILY\nRDATE;${parameter}:20260101` })).toBe(
      problem,
    );
  for (const rrule of [
    "RDATE:20260101T000000",
    "RDATE;VALUE=DATE-TIME:20260101T000000",
    "FREQ=DAILY\nEXDATE;TZID=Europe/Paris:20260101T000000",
  ])
    expect(unreadableInSchedule({ rrule })).toBeNull();
});

test.each([
  ["DTSTART;TZID=America/New_York;VALUE=DATE-TIME", false],
  ["DTSTART;tzid=America/New_York", false],
  ["DTSTART;TZID=UTC+3", false],
  ["DTSTART;TZID=America/New_York", true],
  ["DTSTART;VALUE=DATE-TIME;TZID=America/New_York", true],
  ["DTSTART;VALUE=DATE-TIME", true],
])("a recurrence rule that begins with %s is for every client: %s", (start, isRead) => {
  const rrule = `${start}:20260101T090000\nRRULE:FREQ=DAILY`;
  expect(unreadableInSchedule({ rrule }) === null).toBe(isRead);
});

test("an interval is for every client", () => {
  expect(unreadableInSchedule({ interval: 60 })).toBeNull();
});

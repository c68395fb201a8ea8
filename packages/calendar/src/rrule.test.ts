import { describe, expect, test } from "vitest";
import { occurrences } from "./occurrences.ts";
import { parseRRule, withDefaultStart } from "./rrule.ts";

function at(utc: string): number {
  return Date.parse(`${utc}Z`) * 1000;
}

function list(text: string, from: string, limit: number, timezone = "UTC"): string[] {
  const found = occurrences({ kind: "rrule", rrule: text, timezone }, { from: at(from), limit });
  return found.map((micros) => new Date(micros / 1000).toISOString().slice(0, 19));
}

/** The days only. */
function days(text: string, from: string, limit: number): string[] {
  return list(text, `${from}T00:00:00`, limit).map((time) => time.slice(0, 10));
}

describe("a recurrence rule", () => {
  // The examples of RFC 5545, 3.8.5.3, that show more than one part.
  test.each([
    [
      "every other week on Monday, Wednesday and Friday",
      "19970901T090000",
      "FREQ=WEEKLY;INTERVAL=2;WKST=SU;BYDAY=MO,WE,FR",
      ["1997-09-01", "1997-09-03", "1997-09-05", "1997-09-15"],
    ],
    [
      "weeks that begin on Monday",
      "19970805T090000",
      "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO",
      ["1997-08-05", "1997-08-10", "1997-08-19", "1997-08-24"],
    ],
    [
      "weeks that begin on Sunday",
      "19970805T090000",
      "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU",
      ["1997-08-05", "1997-08-17", "1997-08-19", "1997-08-31"],
    ],
    [
      "the first Friday of the month",
      "19970905T090000",
      "FREQ=MONTHLY;COUNT=10;BYDAY=1FR",
      ["1997-09-05", "1997-10-03", "1997-11-07", "1997-12-05"],
    ],
    [
      "the first and last Sunday every other month",
      "19970907T090000",
      "FREQ=MONTHLY;INTERVAL=2;COUNT=10;BYDAY=1SU,-1SU",
      ["1997-09-07", "1997-09-28", "1997-11-02", "1997-11-30"],
    ],
    [
      "the second-to-last Monday of the month",
      "19970922T090000",
      "FREQ=MONTHLY;COUNT=6;BYDAY=-2MO",
      ["1997-09-22", "1997-10-20", "1997-11-17", "1997-12-22"],
    ],
    [
      "the third-to-last day of the month",
      "19970928T090000",
      "FREQ=MONTHLY;BYMONTHDAY=-3",
      ["1997-09-28", "1997-10-29", "1997-11-28", "1997-12-29"],
    ],
    [
      "the first and last day of the month",
      "19970930T090000",
      "FREQ=MONTHLY;COUNT=10;BYMONTHDAY=1,-1",
      ["1997-09-30", "1997-10-01", "1997-10-31", "1997-11-01"],
    ],
    [
      "the first, hundredth and two hundredth day every third year",
      "19970101T090000",
      "FREQ=YEARLY;INTERVAL=3;COUNT=10;BYYEARDAY=1,100,200",
      ["1997-01-01", "1997-04-10", "1997-07-19", "2000-01-01"],
    ],
    [
      "the 20th Monday of the year",
      "19970519T090000",
      "FREQ=YEARLY;BYDAY=20MO",
      ["1997-05-19", "1998-05-18", "1999-05-17"],
    ],
    [
      "Monday of week 20",
      "19970512T090000",
      "FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO",
      ["1997-05-12", "1998-05-11", "1999-05-17"],
    ],
    [
      "Friday the 13th",
      "19970902T090000",
      "FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13",
      ["1998-02-13", "1998-03-13", "1998-11-13", "1999-08-13"],
    ],
    [
      "the day of elections",
      "19961105T090000",
      "FREQ=YEARLY;INTERVAL=4;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8",
      ["1996-11-05", "2000-11-07", "2004-11-02"],
    ],
    [
      "the third of Tuesday, Wednesday and Thursday",
      "19970904T090000",
      "FREQ=MONTHLY;COUNT=3;BYDAY=TU,WE,TH;BYSETPOS=3",
      ["1997-09-04", "1997-10-07", "1997-11-06"],
    ],
    [
      "the second-to-last workday of the month",
      "19970929T090000",
      "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-2",
      ["1997-09-29", "1997-10-30", "1997-11-27", "1997-12-30"],
    ],
    [
      "the 30th, not in February",
      "20070115T090000",
      "FREQ=MONTHLY;BYMONTHDAY=15,30;COUNT=5",
      ["2007-01-15", "2007-01-30", "2007-02-15", "2007-03-15", "2007-03-30"],
    ],
    [
      "plain and counted weekdays together",
      "20260101T090000",
      "FREQ=MONTHLY;BYDAY=1MO,-1FR,SU",
      ["2026-01-04", "2026-01-05", "2026-01-11", "2026-01-18", "2026-01-25", "2026-01-30"],
    ],
  ])("gives %s", (_, start, rule, expected) => {
    const from = `${start.slice(0, 4)}-${start.slice(4, 6)}-${start.slice(6, 8)}`;
    expect(days(`DTSTART:${start}\nRRULE:${rule}`, from, expected.length)).toEqual(expected);
  });

  test.each([
    [
      "every 20 minutes from 9 to 16:40",
      "FREQ=DAILY;BYHOUR=9,10,11,12,13,14,15,16;BYMINUTE=0,20,40",
    ],
    ["the same by the minute", "FREQ=MINUTELY;INTERVAL=20;BYHOUR=9,10,11,12,13,14,15,16"],
  ])("gives %s", (_, rule) => {
    const found = list(`DTSTART:19970902T090000\nRRULE:${rule}`, "1997-09-02T16:20:00", 4);
    expect(found).toEqual([
      "1997-09-02T16:20:00",
      "1997-09-02T16:40:00",
      "1997-09-03T09:00:00",
      "1997-09-03T09:20:00",
    ]);
  });

  test("ends with its count or its last time, both included", () => {
    const start = "DTSTART:20260101T090000\n";
    expect(days(`${start}FREQ=DAILY;COUNT=3`, "2026-01-02", 9)).toEqual([
      "2026-01-02",
      "2026-01-03",
    ]);
    expect(days(`${start}FREQ=DAILY;UNTIL=20260103T090000`, "2026-01-02", 9)).toEqual([
      "2026-01-02",
      "2026-01-03",
    ]);
    expect(days(`${start}FREQ=DAILY;UNTIL=20260103`, "2026-01-02", 9)).toEqual(["2026-01-02"]);
    expect(days(`${start}FREQ=MONTHLY;BYDAY=MO,TU;COUNT=4;BYHOUR=8,10`, "2026-01-01", 9)).toEqual([
      "2026-01-05",
      "2026-01-05",
      "2026-01-06",
      "2026-01-06",
    ]);
    expect(days(`${start}FREQ=DAILY;COUNT=1000000000`, "2199-12-31", 9)).toHaveLength(9);
  });

  test("does not occur at its start unless it names it", () => {
    expect(days("DTSTART:20260101T090000\nRRULE:FREQ=WEEKLY;BYDAY=MO", "2026-01-01", 1)).toEqual([
      "2026-01-05",
    ]);
  });

  test("is read in any letter case, with or without its name, between any blanks", () => {
    const expected = ["2026-01-01", "2026-01-02"];
    for (const text of [
      "dtstart:20260101t090000\nfreq=daily",
      "DTSTART:20260101T090000 RRULE:FREQ=DAILY\r\n",
      "\n  RRULE:FREQ=DAILY\n  DTSTART:20260101T0900\n",
    ])
      expect(days(text, "2026-01-01", 2)).toEqual(expected);
  });

  test("reads its times on the wall clock of the zone, with a Z or a TZID as without", () => {
    const timezone = "America/New_York";
    for (const start of [
      "DTSTART:20260101T090000",
      "DTSTART:20260101T090000Z",
      "DTSTART;TZID=America/New_York:20260101T090000",
      "DTSTART;TZID=Asia/Tokyo:20260101T090000",
      "DTSTART;TZID=Nowhere/At_All:20260101T090000",
      "DTSTART;VALUE=DATE-TIME:20260101T090000",
    ])
      expect(list(`${start}\nRRULE:FREQ=DAILY`, "2026-01-01T00:00:00", 1, timezone)).toEqual([
        "2026-01-01T14:00:00",
      ]);
  });

  test("leaves out a date with a TZID at the same time on the wall clock", () => {
    const text =
      "DTSTART:20260101T090000\nRRULE:FREQ=DAILY\nEXDATE;TZID=America/New_York:20260102T090000";
    expect(days(text, "2026-01-01", 2)).toEqual(["2026-01-01", "2026-01-03"]);
  });

  test("that repeats its start begins at the last one", () => {
    const text =
      "DTSTART:20260101T090000\nRRULE:FREQ=DAILY\nDTSTART:20260103T090000\nRRULE:FREQ=WEEKLY";
    expect(days(text, "2026-01-01", 2)).toEqual(["2026-01-03", "2026-01-04"]);
  });

  test("unites rules and dates and leaves out the excepted", () => {
    const text = [
      "DTSTART:20260101T090000",
      "RRULE:FREQ=WEEKLY;BYDAY=MO",
      "RRULE:FREQ=MONTHLY;BYMONTHDAY=1,12",
      "RDATE:20260107T080000,20260112T090000",
      "EXRULE:FREQ=MONTHLY;BYMONTHDAY=19",
      "EXDATE:20260126T090000,20260101T090000",
      "EXDATE:20260107T080001",
    ].join("\n");
    expect(list(text, "2026-01-01T00:00:00", 5)).toEqual([
      "2026-01-05T09:00:00",
      "2026-01-07T08:00:00",
      "2026-01-12T09:00:00",
      "2026-02-01T09:00:00",
      "2026-02-02T09:00:00",
    ]);
  });

  test("may be dates alone", () => {
    expect(
      list("RDATE:20260107T080000,20260105T080000,20260107T080000", "2026-01-01T00:00:00", 5),
    ).toEqual(["2026-01-05T08:00:00", "2026-01-07T08:00:00"]);
  });
});

describe("a search", () => {
  test.each([
    "DTSTART:00010101T000000\nRRULE:FREQ=SECONDLY",
    "DTSTART:00010101T000000\nRRULE:FREQ=MINUTELY;INTERVAL=7",
    "DTSTART:15000101T000000\nRRULE:FREQ=HOURLY;INTERVAL=5;BYDAY=MO",
    "DTSTART:15000101T000000\nRRULE:FREQ=DAILY;INTERVAL=3",
    "DTSTART:15000101T000000\nRRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,TH",
    "DTSTART:15000101T000000\nRRULE:FREQ=MONTHLY;BYDAY=-1FR",
    "DTSTART:15000101T000000\nRRULE:FREQ=YEARLY;BYMONTH=3",
    "DTSTART:19700101T000000\nRRULE:FREQ=SECONDLY;COUNT=1000000000",
  ])("does not walk through the past of %j", (text) => {
    const started = performance.now();
    for (let i = 0; i < 100; i++)
      expect(list(text, `2001-01-01T00:00:${String(i % 60).padStart(2, "0")}`, 2)).toHaveLength(2);
    expect(performance.now() - started).toBeLessThan(5000);
  });

  test.each([
    "DTSTART:20260101T000000\nRRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30",
    "DTSTART:20260101T000000\nRRULE:FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30",
    "DTSTART:20260101T000000\nRRULE:FREQ=DAILY;INTERVAL=7;BYDAY=MO",
    "DTSTART:20260101T000000\nRRULE:FREQ=WEEKLY;BYDAY=MO;BYSETPOS=2",
    "DTSTART:20260101T000000\nRRULE:FREQ=SECONDLY\nEXRULE:FREQ=SECONDLY",
    "DTSTART:20260101T000000\nRRULE:FREQ=YEARLY;BYHOUR=1\nEXRULE:FREQ=MINUTELY",
    "DTSTART:22010101T000000\nRRULE:FREQ=DAILY",
  ])("for what never occurs ends: %j", (text) => {
    expect(list(text, "2026-01-01T00:00:00", 1)).toEqual([]);
  });

  test("ends where rules except all that others name", () => {
    const exceptions = `${"EXRULE:FREQ=SECONDLY;BYSECOND=1\n".repeat(48)}EXRULE:FREQ=SECONDLY`;
    const text = `DTSTART:20260101T000000\nRRULE:FREQ=SECONDLY\n${exceptions}`;
    expect(list(text, "2026-01-01T00:00:00", 1)).toEqual([]);
  });
});

describe("a recurrence rule without a start", () => {
  const now = { timezone: "America/New_York", nowMicros: at("2026-03-08T07:10:30") }; // 03:10:30 on the wall

  test.each([
    ["FREQ=DAILY", "DTSTART:20200101T000000\nFREQ=DAILY"],
    ["RRULE:FREQ=HOURLY;INTERVAL=5", "DTSTART:20200101T000000\nRRULE:FREQ=HOURLY;INTERVAL=5"],
    ["RRULE:FREQ=MINUTELY", "DTSTART:20260308T031000\nRRULE:FREQ=MINUTELY"],
    [
      "RRULE:FREQ=MINUTELY;INTERVAL=1440",
      "DTSTART:20260308T000000\nRRULE:FREQ=MINUTELY;INTERVAL=1440",
    ],
    ["RRULE:FREQ=SECONDLY;INTERVAL=7", "DTSTART:20260308T031028\nRRULE:FREQ=SECONDLY;INTERVAL=7"],
    ["RRULE:FREQ=SECONDLY;COUNT=5", "DTSTART:20200101T000000\nRRULE:FREQ=SECONDLY;COUNT=5"],
    [
      "RRULE:FREQ=MINUTELY\nEXRULE:FREQ=DAILY",
      "DTSTART:20200101T000000\nRRULE:FREQ=MINUTELY\nEXRULE:FREQ=DAILY",
    ],
    [
      "DTSTART:20210101T000000\nRRULE:FREQ=MINUTELY",
      "DTSTART:20210101T000000\nRRULE:FREQ=MINUTELY",
    ],
    [
      "FREQ=DAILY;UNTIL=20300101T000000",
      "DTSTART:20200101T000000\nFREQ=DAILY;UNTIL=20300101T000000",
    ],
    ["FREQ=DAILY;UNTIL=20300101", "DTSTART:20200101T000000\nFREQ=DAILY;UNTIL=20300101"],
    [
      "RRULE:FREQ=DAILY\nEXDATE:20260102T000000Z",
      "DTSTART:20200101T000000\nRRULE:FREQ=DAILY\nEXDATE:20260102T000000Z",
    ],
  ])("%j is kept as %j", (text, kept) => {
    expect(withDefaultStart(text, now).value).toBe(kept);
    expect(withDefaultStart(kept, now).value).toBe(kept);
  });

  test.each([
    "FREQ=DAILY;UNTIL=20300101T000000Z",
    "FREQ=MINUTELY;UNTIL=20300101T000000Z",
    "RRULE:FREQ=DAILY;UNTIL=20300101T000000Z\nEXDATE:20260102T000000Z",
    "RRULE:FREQ=DAILY;UNTIL=20300101T000000\nEXRULE:FREQ=WEEKLY;UNTIL=20300101T000000Z",
  ])("%j is kept as it is: a start without a zone would not go with its end", (text) => {
    expect(withDefaultStart(text, now).value).toBe(text);
    expect(list(text, "2026-01-01T00:00:00", 1)).toHaveLength(1);
  });

  test("occurs at the same times before and after", () => {
    for (const text of ["FREQ=MINUTELY;INTERVAL=7", "FREQ=SECONDLY;INTERVAL=61", "FREQ=DAILY"])
      expect(list(withDefaultStart(text, now).value ?? "", "2026-03-08T07:11:00", 5)).toEqual(
        list(text, "2026-03-08T07:11:00", 5),
      );
  });

  test("begins in 2020 before 2020", () => {
    const before = { timezone: "UTC", nowMicros: at("2019-01-01T00:00:00") };
    expect(withDefaultStart("FREQ=MINUTELY", before).value).toBe(
      "DTSTART:20200101T000000\nFREQ=MINUTELY",
    );
  });
});

describe("a recurrence rule is refused:", () => {
  test.each([
    ["", "A recurrence rule needs at least one RRULE or RDATE line."],
    ["DTSTART:20260101T000000", "A recurrence rule needs at least one RRULE or RDATE line."],
    [
      "SUMMARY:hello",
      'A line of a recurrence rule begins with one of DTSTART, RRULE, EXRULE, RDATE, EXDATE, not "SUMMARY".',
    ],
    ["RRULE;X=1:FREQ=DAILY", 'RRULE takes no parameters such as "X=1".'],
    [
      "RRULE:INTERVAL=2",
      "A recurrence rule needs FREQ, one of YEARLY, MONTHLY, WEEKLY, DAILY, HOURLY, MINUTELY, SECONDLY.",
    ],
    [
      "FREQ=OFTEN",
      'FREQ is one of YEARLY, MONTHLY, WEEKLY, DAILY, HOURLY, MINUTELY, SECONDLY, not "OFTEN".',
    ],
    ["FREQ=DAILY;", 'A part of a recurrence rule is NAME=VALUE, not "".'],
    ["FREQ=DAILY;BYHOUR=", 'A part of a recurrence rule is NAME=VALUE, not "BYHOUR=".'],
    ["FREQ=DAILY=WEEKLY", 'A part of a recurrence rule is NAME=VALUE, not "FREQ=DAILY=WEEKLY".'],
    ["FREQ=DAILY;FREQ=WEEKLY", "A recurrence rule gives FREQ once, not twice."],
    ["FREQ=DAILY;BYEASTER=0", '"BYEASTER" is not a part of a recurrence rule.'],
    ["FREQ=DAILY;INTERVAL=0", 'INTERVAL is a whole number from 1 to 1000000000, not "0".'],
    ["FREQ=DAILY;COUNT=-1", 'COUNT is a whole number from 1 to 1000000000, not "-1".'],
    ["FREQ=DAILY;UNTIL=tomorrow", 'UNTIL is a time such as 20260101T090000, not "TOMORROW".'],
    [
      "FREQ=DAILY;UNTIL=20260230T000000",
      'UNTIL is a time such as 20260101T090000, not "20260230T000000".',
    ],
    ["FREQ=DAILY;WKST=XX", 'WKST is a weekday such as MO, not "XX".'],
    ["FREQ=DAILY;BYSECOND=60", 'BYSECOND takes 0 to 59, not "60".'],
    ["FREQ=DAILY;BYHOUR=1,24", 'BYHOUR takes 0 to 23, not "24".'],
    ["FREQ=DAILY;BYMONTH=0", 'BYMONTH takes 1 to 12, not "0".'],
    ["FREQ=MONTHLY;BYMONTHDAY=0", 'BYMONTHDAY takes 1 to 31, or -31 to -1, not "0".'],
    ["FREQ=YEARLY;BYYEARDAY=-367", 'BYYEARDAY takes 1 to 366, or -366 to -1, not "-367".'],
    ["FREQ=YEARLY;BYWEEKNO=54", 'BYWEEKNO takes 1 to 53, or -53 to -1, not "54".'],
    ["FREQ=YEARLY;BYSETPOS=1.5", 'BYSETPOS takes 1 to 366, or -366 to -1, not "1.5".'],
    ["FREQ=MONTHLY;BYDAY=MONDAY", 'BYDAY takes weekdays such as MO or -1FR, not "MONDAY".'],
    ["FREQ=MONTHLY;BYDAY=0MO", 'BYDAY counts 1 to 53, not "0MO".'],
    ["FREQ=WEEKLY;BYDAY=1MO", 'BYDAY counts weekdays ("1MO") in a YEARLY or MONTHLY rule only.'],
    [
      "DTSTART:2026-01-01\nFREQ=DAILY",
      'DTSTART is a time such as 20260101T090000, not "2026-01-01".',
    ],
    [
      "DTSTART;TZID=Asia/Tokyo:20260101T000000Z\nFREQ=DAILY",
      'DTSTART has a TZID or ends in Z, not both: "20260101T000000Z".',
    ],
    ["RDATE;VALUE=PERIOD:20260101T000000/PT1H", 'RDATE takes no parameter such as "VALUE=PERIOD".'],
    ["RDATE:20260101T000000,", 'RDATE is a time such as 20260101T090000, not "".'],
    [
      "DTSTART:20260101T000000\nFREQ=MINUTELY;INTERVAL=60;BYMINUTE=5",
      "The rule never occurs: INTERVAL steps over all that BYHOUR, BYMINUTE and BYSECOND allow.",
    ],
    [
      "DTSTART:20260101T000000\nFREQ=SECONDLY;INTERVAL=7200;BYHOUR=5",
      "The rule never occurs: INTERVAL steps over all that BYHOUR, BYMINUTE and BYSECOND allow.",
    ],
    [
      "FREQ=MINUTELY;BYSETPOS=2",
      "The rule never occurs: BYSETPOS counts further than its periods have times.",
    ],
    [
      "RRULE:FREQ=HOURLY;BYMINUTE=0;COUNT=60000\nRRULE:FREQ=HOURLY;BYMINUTE=30;COUNT=60000",
      "COUNT is too large for a rule as sparse as this one.",
    ],
    [
      "FREQ=SECONDLY;BYDAY=MO;COUNT=1000000",
      "COUNT is too large for a rule as sparse as this one.",
    ],
  ])("%j", (text, problem) => {
    expect(parseRRule(text).problem).toBe(problem);
  });

  test("too much of it", () => {
    const rules = "RRULE:FREQ=DAILY\n".repeat(51);
    expect(parseRRule(rules).problem).toBe("A recurrence rule has at most 50 rules.");
    const long = `FREQ=DAILY;BYHOUR=${"1,".repeat(3500)}1`;
    expect(parseRRule(long).problem).toBe("A recurrence rule has at most 6500 characters.");
  });

  const now = { timezone: "Europe/Berlin", nowMicros: at("2026-01-01T00:00:00") };

  test.each([
    "DTSTART:20260101T000000\nRRULE:FREQ=DAILY;UNTIL=20300101T000000Z",
    "DTSTART;TZID=Nowhere/At_All:20260101T000000\nRRULE:FREQ=DAILY;UNTIL=20300101T000000Z",
    "DTSTART:20260101T000000Z\nRRULE:FREQ=DAILY;UNTIL=20300101T000000",
    "DTSTART:20260101T000000Z\nRRULE:FREQ=DAILY;UNTIL=20300101",
    "DTSTART;TZID=Asia/Tokyo:20260101T000000\nRRULE:FREQ=DAILY;UNTIL=20300101T000000",
    "DTSTART:20260101T000000\nRRULE:FREQ=DAILY\nEXRULE:FREQ=WEEKLY;UNTIL=20300101T000000Z",
  ])("%j, because its start and its end do not go together", (text) => {
    expect(withDefaultStart(text, now).problem).toBe(
      "UNTIL ends in Z if DTSTART does or has a TZID, and else does not.",
    );
  });

  test.each([
    "DTSTART:20260101T000000Z\nRRULE:FREQ=DAILY;UNTIL=20300101T000000Z",
    "DTSTART;TZID=Asia/Tokyo:20260101T000000\nRRULE:FREQ=DAILY;UNTIL=20300101T000000Z",
    "DTSTART:20260101T000000\nRRULE:FREQ=DAILY;UNTIL=20300101",
  ])("but not %j", (text) => {
    expect(withDefaultStart(text, now).value).toBe(text);
  });
});

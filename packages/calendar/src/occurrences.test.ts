import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { rounds } from "../../../tests/support/rounds.ts";
import {
  MOST_OCCURRENCES,
  type OccurrenceOptions,
  occurrences,
  type Schedule,
  validateSchedule,
} from "./occurrences.ts";
import { LATER_THEN_FIRST, readZone, toUtc } from "./zone.ts";

test.each([Number.NEGATIVE_INFINITY, -1e16, 1e16, Number.POSITIVE_INFINITY])(
  "a window from %d on has the times that can be told apart",
  (from) => {
    const schedule: Schedule = { kind: "cron", cron: "0 0 1 1 *", dayOr: true, timezone: "UTC" };
    const found = occurrences(schedule, { from, limit: 2 });
    expect(found.every((time) => Number.isSafeInteger(time))).toBe(true);
    expect(found).toHaveLength(from < 0 ? 2 : 0);
  },
);

function at(utc: string): number {
  return Date.parse(`${utc}Z`) * 1000;
}

function shown(micros: number): string {
  return new Date(micros / 1000).toISOString().slice(0, 19);
}

function list(schedule: Schedule, options: OccurrenceOptions): string[] {
  return occurrences(schedule, options).map(shown);
}

/** The instant of a wall-clock time. */
function local(wall: string, timezone: string): number {
  return toUtc(at(wall), readZone(timezone), LATER_THEN_FIRST);
}

const SECONDS = 1_000_000;
const HOUR = 3600 * SECONDS;
const DAY = 24 * HOUR;
const NEW_YORK = "America/New_York";

describe("daylight saving time in New York", () => {
  const cron = (text: string): Schedule => ({ kind: "cron", cron: text, timezone: NEW_YORK });
  const rrule = (text: string): Schedule => ({ kind: "rrule", rrule: text, timezone: NEW_YORK });
  const interval = (intervalMicros: number, anchor: string): Schedule => ({
    kind: "interval",
    intervalMicros,
    anchorMicros: local(anchor, NEW_YORK),
    timezone: NEW_YORK,
  });

  test.each<[string, Schedule, string, number[]]>([
    [
      "an hourly interval in spring",
      interval(HOUR, "2018-03-10T23:00:00"),
      "2018-03-10T23:00:00",
      [4, 5, 6, 7, 8],
    ],
    ["an hourly cron in spring", cron("0 * * * *"), "2018-03-10T23:00:00", [4, 5, 6, 7, 8]],
    [
      "an hourly rule in spring",
      rrule("DTSTART:20180310T230000\nRRULE:FREQ=HOURLY"),
      "2018-03-10T23:00:00",
      [4, 5, 6, 7, 8],
    ],
    [
      "an hourly interval in autumn",
      interval(HOUR, "2018-11-03T23:00:00"),
      "2018-11-03T23:00:00",
      [3, 4, 5, 6, 7],
    ],
    ["an hourly cron in autumn", cron("0 * * * *"), "2018-11-03T23:00:00", [3, 4, 5, 7, 8]],
    [
      "an hourly rule in autumn",
      rrule("DTSTART:20181103T230000\nRRULE:FREQ=HOURLY"),
      "2018-11-03T23:00:00",
      [3, 4, 5, 7, 8],
    ],
    [
      "a daily interval in spring",
      interval(DAY, "2018-03-08T09:00:00"),
      "2018-03-08T09:00:00",
      [14, 14, 14, 13, 13],
    ],
    ["a daily cron in spring", cron("0 9 * * *"), "2018-03-08T09:00:00", [14, 14, 14, 13, 13]],
    [
      "a daily rule in spring",
      rrule("DTSTART:20180308T090000\nRRULE:FREQ=DAILY"),
      "2018-03-08T09:00:00",
      [14, 14, 14, 13, 13],
    ],
    [
      "a daily interval in autumn",
      interval(DAY, "2018-11-01T09:00:00"),
      "2018-11-01T09:00:00",
      [13, 13, 13, 14, 14],
    ],
    ["a daily cron in autumn", cron("0 9 * * *"), "2018-11-01T09:00:00", [13, 13, 13, 14, 14]],
    [
      "a daily rule in autumn",
      rrule("DTSTART:20181101T090000\nRRULE:FREQ=DAILY"),
      "2018-11-01T09:00:00",
      [13, 13, 13, 14, 14],
    ],
  ])("%s keeps the expected hours of UTC", (_, schedule, from, hours) => {
    const found = occurrences(schedule, { from: local(from, NEW_YORK), limit: 5 });
    expect(found.map((micros) => new Date(micros / 1000).getUTCHours())).toEqual(hours);
  });

  test("a daily cron on the morning of the change keeps the new hour", () => {
    const schedule: Schedule = { kind: "cron", cron: "10 0 * * *", timezone: "America/Montreal" };
    expect(list(schedule, { from: at("2023-03-12T05:10:02"), limit: 5 })).toEqual([
      "2023-03-13T04:10:00",
      "2023-03-14T04:10:00",
      "2023-03-15T04:10:00",
      "2023-03-16T04:10:00",
      "2023-03-17T04:10:00",
    ]);
  });

  test("a time that is skipped runs once, an hour later on the wall, and is back the next day", () => {
    const from = at("2018-03-10T12:00:00");
    const expected = ["2018-03-11T07:30:00", "2018-03-12T06:30:00"];
    expect(list(cron("30 2 * * *"), { from, limit: 2 })).toEqual(expected);
    expect(list(rrule("DTSTART:20180301T023000\nRRULE:FREQ=DAILY"), { from, limit: 2 })).toEqual(
      expected,
    );
    expect(list(interval(DAY, "2018-03-01T02:30:00"), { from, limit: 2 })).toEqual(expected);
  });

  test("a time that comes twice runs the first time", () => {
    const from = at("2018-11-04T04:00:00");
    const expected = ["2018-11-04T05:30:00", "2018-11-05T06:30:00"];
    expect(list(cron("30 1 * * *"), { from, limit: 2 })).toEqual(expected);
    expect(list(rrule("DTSTART:20180301T013000\nRRULE:FREQ=DAILY"), { from, limit: 2 })).toEqual(
      expected,
    );
    expect(list(interval(DAY, "2018-03-01T01:30:00"), { from, limit: 2 })).toEqual(expected);
  });

  test("a search that begins in the repeated hour does not run what ran before", () => {
    const from = at("2018-11-04T06:10:00");
    expect(list(cron("*/20 * * * *"), { from, limit: 2 })).toEqual([
      "2018-11-04T07:00:00",
      "2018-11-04T07:20:00",
    ]);
  });

  test("a search that begins behind the gap still finds what was put there", () => {
    const from = at("2018-03-11T07:20:00");
    expect(list(cron("30 2 * * *"), { from, limit: 1 })).toEqual(["2018-03-11T07:30:00"]);
    expect(list(cron("10 2 * * *"), { from, limit: 1 })).toEqual(["2018-03-12T06:10:00"]);
  });

  test("an anchor in the second pass through an hour stays where it is", () => {
    const schedule: Schedule = {
      kind: "interval",
      intervalMicros: DAY,
      anchorMicros: at("2018-11-04T06:30:00"),
      timezone: NEW_YORK,
    };
    expect(list(schedule, { from: at("2018-11-03T00:00:00"), limit: 3 })).toEqual([
      "2018-11-03T05:30:00",
      "2018-11-04T06:30:00",
      "2018-11-05T06:30:00",
    ]);
  });
});

describe("zones that do it differently", () => {
  test("half an hour that is skipped is put among the times behind it, in order", () => {
    const schedule: Schedule = {
      kind: "cron",
      cron: "0,15,20,40 2 * * *",
      timezone: "Australia/Lord_Howe",
    };
    expect(list(schedule, { from: at("2026-10-03T14:00:00"), limit: 5 })).toEqual([
      "2026-10-03T15:30:00", // 02:00, put to 02:30
      "2026-10-03T15:40:00", // 02:40
      "2026-10-03T15:45:00", // 02:15, put to 02:45
      "2026-10-03T15:50:00", // 02:20, put to 02:50
      "2026-10-04T15:00:00",
    ]);
  });

  test("a day that is skipped runs once with the next", () => {
    const from = at("2011-12-29T00:00:00");
    const expected = ["2011-12-29T19:00:00", "2011-12-30T19:00:00", "2011-12-31T19:00:00"];
    const timezone = "Pacific/Apia";
    expect(list({ kind: "cron", cron: "0 9 * * *", timezone }, { from, limit: 3 })).toEqual(
      expected,
    );
    expect(
      list(
        { kind: "rrule", rrule: "DTSTART:20111201T090000\nFREQ=DAILY", timezone },
        { from, limit: 3 },
      ),
    ).toEqual(expected);
    const anchorMicros = local("2011-12-01T09:00:00", timezone);
    expect(
      list({ kind: "interval", intervalMicros: DAY, anchorMicros, timezone }, { from, limit: 3 }),
    ).toEqual(expected);
  });
});

describe("any schedule", () => {
  const zones = fc.constantFrom(
    "UTC",
    NEW_YORK,
    "Europe/Berlin",
    "Australia/Lord_Howe",
    "Asia/Kathmandu",
    "Pacific/Apia",
    "Africa/Casablanca",
  );
  const anchors = fc.integer({ min: at("1990-01-01T00:00:00"), max: at("2040-01-01T00:00:00") });
  const schedules: fc.Arbitrary<Schedule> = zones.chain((timezone) =>
    fc.oneof(
      fc.record({
        kind: fc.constant("cron" as const),
        timezone: fc.constant(timezone),
        dayOr: fc.boolean(),
        cron: fc.constantFrom(
          "0 * * * *",
          "*/5 * * * *",
          "30 2 * * *",
          "15,40 0-3 * * *",
          "0 0 13 * FRI",
          "* * * * * */7",
          "0 9 L * *",
          "17 1,2 * * SUN",
          "0 12 15W * *",
          "59 23 * * 5L",
          "0 0 29 2 *",
        ),
      }),
      fc.record({
        kind: fc.constant("interval" as const),
        timezone: fc.constant(timezone),
        intervalMicros: fc.oneof(
          fc.integer({ min: 1, max: 10 * DAY }),
          fc.constantFrom(HOUR, DAY, 7 * DAY, DAY + HOUR, 1.5 * DAY, 1, 90 * SECONDS),
        ),
        anchorMicros: anchors,
      }),
      fc.record({
        kind: fc.constant("rrule" as const),
        timezone: fc.constant(timezone),
        rrule: fc.constantFrom(
          "FREQ=HOURLY",
          "FREQ=MINUTELY;INTERVAL=7",
          "FREQ=DAILY;BYHOUR=1,2,3;BYMINUTE=30",
          "FREQ=MONTHLY;BYDAY=-1SU;BYHOUR=2",
          "DTSTART:19700101T013000\nRRULE:FREQ=WEEKLY;BYDAY=SU\nEXRULE:FREQ=MONTHLY;BYDAY=1SU",
          "DTSTART:20110101T020000\nRRULE:FREQ=SECONDLY;INTERVAL=1801\nRDATE:20260308T023000,20261101T013000",
        ),
      }),
    ),
  );
  const starts = fc.oneof(
    fc.integer({ min: at("1971-01-01T00:00:00"), max: at("2100-01-01T00:00:00") }),
    // Half of the searches begin within hours of a change of the clock.
    fc
      .tuple(
        fc.constantFrom(
          "2026-03-08T07:00:00",
          "2026-11-01T06:00:00",
          "2026-10-03T15:30:00",
          "2026-04-04T15:00:00",
          "2011-12-30T10:00:00",
          "2026-03-29T01:00:00",
          "2026-10-25T01:00:00",
        ),
        fc.integer({ min: -26 * HOUR, max: 26 * HOUR }),
      )
      .map(([change, offset]) => at(change) + offset),
  );

  test("occurs at strictly increasing instants, none before the start", () => {
    fc.assert(
      fc.property(schedules, starts, (schedule, from) => {
        const found = occurrences(schedule, { from, limit: 40 });
        found.reduce((before, next) => {
          expect(next).toBeGreaterThan(before);
          return next;
        }, from - 1);
      }),
      { numRuns: rounds(100, 500) },
    );
  });

  test("includes an occurrence at the start and at the end of the window", () => {
    fc.assert(
      fc.property(schedules, starts, (schedule, from) => {
        const found = occurrences(schedule, { from, limit: 4 });
        const [first] = found;
        const until = found.at(-1);
        if (first === undefined || until === undefined) return;
        expect(occurrences(schedule, { from: first, until, limit: 10 })).toEqual(found);
        expect(occurrences(schedule, { from: first + 1, limit: 3 })).toEqual(found.slice(1));
      }),
      { numRuns: rounds(100, 500) },
    );
  });

  test("occurs no differently when the window is cut in two", () => {
    fc.assert(
      fc.property(
        schedules,
        starts,
        fc.double({ min: 0, max: 1, noNaN: true }),
        (schedule, from, part) => {
          const whole = occurrences(schedule, { from, limit: 30 });
          const until = whole.at(-1);
          if (until === undefined) return;
          const cut = from + Math.floor((until - from) * part);
          const left = occurrences(schedule, { from, until: cut, limit: 30 });
          const right = occurrences(schedule, { from: cut + 1, until, limit: 30 });
          expect([...left, ...right]).toEqual(whole);
        },
      ),
      { numRuns: rounds(100, 500) },
    );
  });

  test("gives no more than asked for, and never more than the cap", () => {
    const schedule: Schedule = { kind: "cron", cron: "* * * * * *", timezone: "UTC" };
    expect(occurrences(schedule, { from: 0, limit: 7 })).toHaveLength(7);
    expect(occurrences(schedule, { from: 0, limit: 1e9 })).toHaveLength(MOST_OCCURRENCES);
    expect(occurrences(schedule, { from: 0, limit: 0 })).toEqual([]);
    expect(occurrences(schedule, { from: 10, until: 9, limit: 5 })).toEqual([]);
  });

  test.each([
    { from: Number.NaN, limit: 1 },
    { from: 0, until: Number.NaN, limit: 1 },
    { from: 0, limit: Number.NaN },
  ])("is not searched in a window that is none: %j", (options) => {
    expect(() => occurrences({ kind: "cron", cron: "@daily", timezone: "UTC" }, options)).toThrow(
      RangeError,
    );
  });

  test("has ended by the year 2201", () => {
    const schedule: Schedule = { kind: "cron", cron: "0 0 1 * *", timezone: "UTC" };
    expect(list(schedule, { from: at("2200-11-15T00:00:00"), limit: 5 })).toEqual([
      "2200-12-01T00:00:00",
    ]);
    expect(occurrences(schedule, { from: at("2230-01-01T00:00:00"), limit: 5 })).toEqual([]);
  });
});

describe("a schedule is refused", () => {
  test.each<[Schedule, RegExp]>([
    [{ kind: "cron", cron: "61 * * * *", timezone: "UTC" }, /minute field/],
    [{ kind: "cron", cron: "* * * * *", timezone: "Mars" }, /not a time zone/],
    [{ kind: "interval", intervalMicros: 0, anchorMicros: 0, timezone: "UTC" }, /above 0/],
    [{ kind: "interval", intervalMicros: 1.5, anchorMicros: 0, timezone: "UTC" }, /whole number/],
    [{ kind: "interval", intervalMicros: 1, anchorMicros: Number.NaN, timezone: "UTC" }, /anchor/],
    [{ kind: "interval", intervalMicros: 1, anchorMicros: 0, timezone: "" }, /not a time zone/],
    [{ kind: "rrule", rrule: "FREQ=NEVER", timezone: "UTC" }, /FREQ is one of/],
  ])("%j", (schedule, problem) => {
    expect(validateSchedule(schedule)).toMatch(problem);
    expect(() => occurrences(schedule, { from: 0, limit: 1 })).toThrow(problem);
  });

  test("but not if it is sound", () => {
    expect(validateSchedule({ kind: "cron", cron: "@daily", timezone: "UTC" })).toBeNull();
  });
});

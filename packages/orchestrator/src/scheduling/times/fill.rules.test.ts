import type { Schedule as CalendarSchedule } from "@orchestrator/calendar";
import { formatMicros, parseMicros } from "@orchestrator/kernel/pure";
import { describe, expect, test } from "vitest";
import {
  type Filling,
  fillSchedule,
  jitterOf,
  lastOccurrences,
  MICROS_PER_SECOND,
  nextRunTimes,
} from "./fill.rules.ts";

const NOW = parseMicros("2026-11-14T09:00:30.000000Z");
const MINUTE = 60 * MICROS_PER_SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const cron = (text: string): CalendarSchedule => ({ kind: "cron", cron: text, timezone: "UTC" });
const every = (seconds: number, anchorMicros = 0): CalendarSchedule => ({
  kind: "interval",
  intervalMicros: seconds * MICROS_PER_SECOND,
  anchorMicros,
  timezone: "UTC",
});

function fill(schedule: CalendarSchedule, options: Partial<Filling> = {}) {
  const filling: Filling = {
    id: "0b0e7ee2-8a3c-4fd3-9f0e-3f0a7d3a1c55",
    schedule,
    now: NOW,
    created: 0,
    filledUntil: options.now ?? NOW,
    catchup: "none",
    jitter: 0,
    maxRuns: null,
    ...options,
  };
  return fillSchedule(filling);
}

const dates = (filled: ReturnType<typeof fillSchedule>) =>
  filled.times.map(({ date }) => formatMicros(date));

describe("the horizon of a schedule", () => {
  test("is its next three times when these reach further than an hour", () => {
    const filled = fill(cron("0 12 * * *"));
    expect(dates(filled)).toEqual([
      "2026-11-14T12:00:00.000000Z",
      "2026-11-15T12:00:00.000000Z",
      "2026-11-16T12:00:00.000000Z",
    ]);
    expect(filled.due).toBe(parseMicros("2026-11-14T12:00:00.000000Z") + 1);
  });

  test("is the next hour and one time behind it for a minutely schedule", () => {
    const filled = fill(cron("* * * * *"));
    expect(filled.times).toHaveLength(61);
    expect(dates(filled).at(-1)).toBe("2026-11-14T10:01:00.000000Z");
    expect(filled.due).toBe(NOW + 30 * MICROS_PER_SECOND + 1);
  });

  test("grows by what is missing when it is looked at again, and by nothing before that", () => {
    const first = fill(cron("* * * * *"));
    const before = fill(cron("* * * * *"), {
      now: (first.due ?? 0) - 1,
      filledUntil: first.filledUntil,
    });
    expect(before.times).toEqual([]);
    const again = fill(cron("* * * * *"), { now: first.due ?? 0, filledUntil: first.filledUntil });
    expect(dates(again)).toEqual(["2026-11-14T10:02:00.000000Z"]);
    expect(again.due).toBeGreaterThan(first.due ?? 0);
  });

  test("is at most a hundred times, and is looked at again when half of them have passed", () => {
    const filled = fill(every(1));
    expect(filled.times).toHaveLength(100);
    expect(filled.due).toBe(filled.times[50]?.date);
  });

  test("of a schedule too fast to follow is not looked at all the time", () => {
    const filled = fill({ ...every(1), intervalMicros: 1 } as CalendarSchedule);
    expect(filled.times).toHaveLength(100);
    expect(filled.due).toBe(NOW + MICROS_PER_SECOND);
  });

  test("is no longer than the schedule wants", () => {
    expect(fill(cron("* * * * *"), { maxRuns: 5 }).times).toHaveLength(5);
    const one = fill(cron("0 12 * * *"), { maxRuns: 1 });
    expect(dates(one)).toEqual(["2026-11-14T12:00:00.000000Z"]);
  });

  test("that is as long as the schedule wants is looked at again when its first time is over", () => {
    for (const maxRuns of [1, 2]) {
      const filled = fill(cron("0 12 * * *"), { maxRuns });
      expect(filled.due).toBe(parseMicros("2026-11-14T12:00:00.000000Z") + 1);
    }
  });

  test("reaches a hundred days: a time further away is created when it has come so near", () => {
    const filled = fill(cron("0 0 1 6 *"));
    expect(filled.times).toEqual([]);
    expect(filled.due).toBe(parseMicros("2027-06-01T00:00:00.000000Z") - 100 * DAY + 1);
    const later = fill(cron("0 0 1 6 *"), {
      now: filled.due ?? 0,
      filledUntil: filled.filledUntil,
    });
    expect(dates(later)).toEqual(["2027-06-01T00:00:00.000000Z"]);
  });

  test("of a rule that has ended is not looked at again", () => {
    const rrule = "DTSTART:20261114T100000\nRRULE:FREQ=DAILY;COUNT=2";
    const filled = fill({ kind: "rrule", rrule, timezone: "UTC" });
    expect(filled).toMatchObject({ times: [{}, {}], due: null });
    const ended = "DTSTART:20200101T000000\nRRULE:FREQ=DAILY;COUNT=2";
    expect(fill({ kind: "rrule", rrule: ended, timezone: "UTC" })).toMatchObject({
      times: [],
      due: null,
    });
  });

  test("of a rule that never occurs is not looked at again", () => {
    const rrule = "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30";
    const filled = fill({ kind: "rrule", rrule, timezone: "UTC" });
    expect(filled).toMatchObject({ times: [], due: null });
  });

  test("follows without end as time goes on, and leaves out and repeats nothing", () => {
    for (const schedule of [
      cron("*/7 * * * *"),
      cron("0 */5 * * *"),
      every(1000, 17),
      cron("0 0 1 * *"),
    ]) {
      let now = NOW;
      let filledUntil = NOW;
      const seen: number[] = [];
      for (let step = 0; step < 200; step += 1) {
        const filled = fill(schedule, { now, filledUntil });
        seen.push(...filled.times.map(({ date }) => date));
        filledUntil = filled.filledUntil;
        expect(filled.due).toBeGreaterThan(now);
        now = filled.due ?? 0;
      }
      expect(seen).toEqual([...new Set(seen)].sort((a, b) => a - b));
      const expected = lastOccurrences(schedule, {
        after: NOW,
        until: seen.at(-1) ?? 0,
        count: 1000,
      });
      expect(seen.slice(-1000)).toEqual(expected);
    }
  });
});

test("a schedule whose next time is too far to be found is looked at again soon, and one that is over is not", () => {
  const rrule = (text: string): CalendarSchedule => ({
    kind: "rrule",
    rrule: text,
    timezone: "UTC",
  });
  const pausing =
    "DTSTART:20260101T000000\nRRULE:FREQ=MINUTELY\nEXRULE:FREQ=MINUTELY;BYMONTH=11,12";
  expect(fill(rrule(pausing))).toMatchObject({ times: [], due: NOW + HOUR });
  const over = "DTSTART:20260101T000000\nRRULE:FREQ=DAILY;COUNT=3";
  expect(fill(rrule(over))).toMatchObject({ times: [], due: null });
});

describe("times that were missed", () => {
  const filledUntil = NOW - 5 * HOUR;

  const passed = (schedule: CalendarSchedule, options: Partial<Filling>) =>
    dates(fill(schedule, options)).filter((date) => date <= formatMicros(options.now ?? NOW));

  test("are passed over, the newest is created, or all are", () => {
    const missed = (catchup: Filling["catchup"]) =>
      passed(cron("0 * * * *"), { filledUntil, catchup });
    expect(missed("none")).toEqual([]);
    expect(missed("latest")).toEqual(["2026-11-14T09:00:00.000000Z"]);
    expect(missed("all")).toHaveLength(5);
  });

  test.each([
    [cron("* * * * *"), "2026-11-14T08:57:00.000000Z", "2026-11-14T09:00:00.000000Z", 3],
    [every(10), "2026-11-14T08:58:30.000000Z", "2026-11-14T09:00:30.000000Z", 12],
  ])("are not made beside the newest one: case %#", (schedule, ended, newest, count) => {
    const down = { filledUntil: parseMicros(ended), maxRuns: 1 };
    expect(passed(schedule, { ...down, catchup: "none" })).toEqual([]);
    expect(passed(schedule, { ...down, catchup: "latest" })).toEqual([newest]);
    expect(passed(schedule, { ...down, catchup: "all" })).toHaveLength(count);
  });

  test("are none when the schedule is looked at a moment late: those all run", () => {
    const late = { filledUntil: NOW - MINUTE, maxRuns: 1 };
    for (const catchup of ["none", "latest", "all"] as const)
      expect(passed(every(5), { ...late, catchup })).toHaveLength(12);
    const later = { ...late, filledUntil: NOW - MINUTE - 1 };
    expect(passed(every(5), { ...later, catchup: "none" })).toEqual([]);
  });

  test("are not those that jitter moved behind now", () => {
    const { times } = fill(cron("* * * * *"), { filledUntil, jitter: 10 * MINUTE, maxRuns: 1 });
    const before = times.filter(({ date }) => date <= NOW);
    expect(before.length).toBeGreaterThan(1);
    expect(before.every(({ at }) => at > NOW)).toBe(true);
    const latest = fill(cron("* * * * *"), {
      filledUntil,
      jitter: 10 * MINUTE,
      maxRuns: 1,
      catchup: "latest",
    });
    expect(latest.times.filter(({ at }) => at <= NOW)).toHaveLength(1);
  });

  test("are none from before the schedule was there, however far jitter may move them", () => {
    const daily = cron("0 0 * * *");
    const made = (created: number) =>
      [1, 2, 3, 4, 5, 6, 7, 8].flatMap((id) =>
        fill(daily, { id: String(id), created, jitter: DAY }).times.filter(
          ({ date }) => date <= NOW,
        ),
      );
    expect(made(NOW)).toEqual([]);
    expect(made(0).length).toBeGreaterThan(0);
  });

  test("are the newest hundred at most, however long nothing was created", () => {
    const long = { filledUntil: NOW - 3000 * DAY, catchup: "all" } as const;
    const filled = fill(cron("* * * * *"), long);
    expect(filled.times).toHaveLength(100 + 61);
    expect(dates(filled)[99]).toBe("2026-11-14T09:00:00.000000Z");
  });

  test("do not include what came before the schedule", () => {
    expect(dates(fill(cron("* * * * *"), { catchup: "all" }))[0]).toBe(
      "2026-11-14T09:01:00.000000Z",
    );
  });
});

describe("jitter", () => {
  const jitter = 20 * MINUTE;

  test("moves each time by less than asked for, always the same way", () => {
    const { times } = fill(cron("*/5 * * * *"), { jitter });
    const moved = times.map(({ date, at }) => at - date);
    expect(moved.every((by) => by >= 0 && by < jitter)).toBe(true);
    expect(new Set(moved).size).toBeGreaterThan(5);
    expect(
      times.every(
        ({ date, at }) =>
          at === date + jitterOf("0b0e7ee2-8a3c-4fd3-9f0e-3f0a7d3a1c55", date, jitter),
      ),
    ).toBe(true);
  });

  test("keeps times that it moved behind a change", () => {
    const { times } = fill(cron("* * * * *"), { jitter });
    const before = times.filter(({ date }) => date <= NOW);
    expect(before.length).toBeGreaterThan(0);
    expect(before.every(({ at }) => at > NOW)).toBe(true);
  });

  test("of a fast schedule brings back a bounded number of times", () => {
    const filled = fill(every(1), { jitter: HOUR });
    expect(filled.times.length).toBeLessThanOrEqual(1000 + 100);
    expect(filled.due).toBeGreaterThan(NOW);
  });
});

describe("the next runs of a schedule", () => {
  const id = "0b0e7ee2-8a3c-4fd3-9f0e-3f0a7d3a1c55";

  test("are its next times", () => {
    const next = nextRunTimes(
      { id, schedule: cron("0 12 * * *"), jitter: 0, created: 0 },
      { now: NOW, limit: 2 },
    );
    expect(next.map(({ at }) => formatMicros(at))).toEqual([
      "2026-11-14T12:00:00.000000Z",
      "2026-11-15T12:00:00.000000Z",
    ]);
  });

  test("are those that are filled, also where jitter moves them past now and past each other", () => {
    for (const jitter of [59 * MICROS_PER_SECOND, 20 * MINUTE]) {
      const schedule = cron("* * * * *");
      for (let now = NOW; now < NOW + 5 * MINUTE; now += 7 * MICROS_PER_SECOND) {
        const filled = fill(schedule, { now, jitter }).times.toSorted((a, b) => a.at - b.at);
        const next = nextRunTimes({ id, schedule, jitter, created: 0 }, { now, limit: 3 });
        expect(next).toEqual(filled.slice(0, 3));
      }
    }
  });
});

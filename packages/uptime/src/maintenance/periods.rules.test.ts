import { parseMicros } from "@orchestrator/kernel/pure";
import { describe, expect, test } from "vitest";
import {
  nextPeriodFrom,
  overlapsItself,
  periodAfter,
  periodAt,
  periodsWithin,
  periodText,
  type Timetable,
} from "./periods.rules.ts";

const at = (text: string): number => parseMicros(`${text}.000000Z`);

function recurring(schedule: string, timezone: string, more: Partial<Timetable> = {}): Timetable {
  return {
    starts_at: null,
    ends_at: null,
    schedule,
    timezone,
    duration: 3600,
    enabled: true,
    finished_at: null,
    ...more,
  };
}

/** As `from/until`, in UTC. */
function told(period: ReturnType<typeof nextPeriodFrom>): string | null {
  if (period === null) return null;
  const { start, end } = periodText(period);
  return `${start.slice(0, 16)}/${end.slice(0, 16)}`;
}

describe("a window that recurs", () => {
  const nightly = recurring("30 2 * * *", "Europe/Berlin");

  test("has all of its periods within a range, however many", () => {
    const often = recurring("*/5 * * * *", "UTC", { duration: 60 });
    const range = { from: at("2026-01-01T00:00:30"), until: at("2026-01-11T00:00:00") };
    const periods = periodsWithin(often, range);
    expect(periods).toHaveLength(10 * 288);
    expect([periods[0], periods.at(-1)].map((each) => told(each ?? null))).toEqual([
      "2026-01-01T00:00/2026-01-01T00:01",
      "2026-01-10T23:55/2026-01-10T23:56",
    ]);
    expect(new Set(periods.map(({ start }) => start)).size).toBe(periods.length);
  });

  test("keeps to the clock of its time zone", () => {
    expect(told(nextPeriodFrom(nightly, at("2026-01-10T00:00:00")))).toBe(
      "2026-01-10T01:30/2026-01-10T02:30",
    );
    expect(told(nextPeriodFrom(nightly, at("2026-07-10T00:00:00")))).toBe(
      "2026-07-10T00:30/2026-07-10T01:30",
    );
  });

  test("begins once, behind the gap, in the night in which its hour does not exist", () => {
    // 02:00 becomes 03:00 at 01:00 UTC on 29 March 2026.
    expect(told(nextPeriodFrom(nightly, at("2026-03-28T12:00:00")))).toBe(
      "2026-03-29T01:30/2026-03-29T02:30",
    );
    expect(told(periodAfter(nightly, at("2026-03-29T02:00:00")))).toBe(
      "2026-03-30T00:30/2026-03-30T01:30",
    );
  });

  test("begins once, the first time, in the night that has its hour twice", () => {
    // 03:00 becomes 02:00 at 01:00 UTC on 25 October 2026.
    expect(told(nextPeriodFrom(nightly, at("2026-10-24T12:00:00")))).toBe(
      "2026-10-25T00:30/2026-10-25T01:30",
    );
    expect(periodAt(nightly, at("2026-10-25T01:29:59"))).not.toBeNull();
    expect(periodAt(nightly, at("2026-10-25T01:30:00"))).toBeNull();
    expect(told(nextPeriodFrom(nightly, at("2026-10-25T01:30:00")))).toBe(
      "2026-10-26T01:30/2026-10-26T02:30",
    );
  });

  test.each([
    ["2026-03-28T22:00/2026-03-29T05:00", "2026-03-28T23:00:00"],
    ["2026-10-24T21:00/2026-10-25T04:00", "2026-10-24T23:00:00"],
  ])("lasts for as long as it says when the clocks change meanwhile: %s", (period, moment) => {
    const overnight = recurring("0 23 * * *", "Europe/Berlin", { duration: 7 * 3600 });
    expect(told(periodAt(overnight, at(moment)))).toBe(period);
  });

  test("may span midnight", () => {
    const late = recurring("0 23 * * SUN", "America/New_York", { duration: 2 * 3600 });
    // Sunday the 15th, 23:00 in New York.
    expect(told(nextPeriodFrom(late, at("2026-11-15T12:00:00")))).toBe(
      "2026-11-16T04:00/2026-11-16T06:00",
    );
    expect(periodAt(late, at("2026-11-16T05:30:00"))).not.toBeNull();
    expect(periodAt(late, at("2026-11-16T06:00:00"))).toBeNull();
  });

  test("is on at its first moment and off at its last", () => {
    expect(periodAt(nightly, at("2026-01-10T01:29:59"))).toBeNull();
    expect(periodAt(nightly, at("2026-01-10T01:30:00"))).not.toBeNull();
    expect(periodAt(nightly, at("2026-01-10T02:30:00"))).toBeNull();
  });

  test("that was finished early is over until its next time", () => {
    const window = { ...nightly, finished_at: "2026-01-10T01:45:00.000000Z" };
    expect(told(nextPeriodFrom(window, at("2026-01-10T01:40:00")))).toBe(
      "2026-01-10T01:30/2026-01-10T01:45",
    );
    expect(periodAt(window, at("2026-01-10T01:45:00"))).toBeNull();
    expect(told(nextPeriodFrom(window, at("2026-01-10T01:50:00")))).toBe(
      "2026-01-11T01:30/2026-01-11T02:30",
    );
  });

  test("is refused where it would begin again before it has ended, also when the clocks change", () => {
    const now = at("2026-01-10T00:00:00");
    const daily = (duration: number) => recurring("30 2 * * *", "Europe/Berlin", { duration });
    expect(overlapsItself(recurring("* 2 * * *", "UTC", { duration: 120 }), now)).toBe(true);
    expect(overlapsItself(daily(24 * 3600), now)).toBe(true);
    expect(overlapsItself(daily(22 * 3600), now)).toBe(false);
  });

  test("that is switched off never takes place", () => {
    expect(nextPeriodFrom({ ...nightly, enabled: false }, at("2026-01-10T01:40:00"))).toBeNull();
  });
});

describe("a window that comes once", () => {
  const once: Timetable = {
    ...recurring("", "UTC"),
    schedule: null,
    duration: null,
    starts_at: "2026-11-15T10:00:00.000000Z",
    ends_at: "2026-11-15T11:00:00.000000Z",
  };

  test("takes place from its start until its end", () => {
    expect(told(nextPeriodFrom(once, at("2026-11-15T09:00:00")))).toBe(
      "2026-11-15T10:00/2026-11-15T11:00",
    );
    expect(periodAt(once, at("2026-11-15T09:59:59"))).toBeNull();
    expect(periodAt(once, at("2026-11-15T10:00:00"))).not.toBeNull();
    expect(nextPeriodFrom(once, at("2026-11-15T11:00:00"))).toBeNull();
  });

  test("has no next time while it takes place", () => {
    expect(periodAfter(once, at("2026-11-15T10:30:00"))).toBeNull();
    expect(periodAfter(once, at("2026-11-15T09:30:00"))).not.toBeNull();
  });
});

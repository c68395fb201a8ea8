import type { Schedule as CalendarSchedule } from "@orchestrator/calendar";
import { formatMicros, parseMicros } from "@orchestrator/kernel/pure";
import { describe, expect, test } from "vitest";
import {
  type BackfillPlan,
  type BackfillTime,
  countTimes,
  timesFrom,
} from "./backfill-times.rules.ts";

const cron = (text: string, timezone = "UTC"): CalendarSchedule => ({
  kind: "cron",
  cron: text,
  timezone,
});

function plan(schedules: readonly CalendarSchedule[], given: Partial<BackfillPlan> = {}) {
  return {
    schedules,
    start: parseMicros("2026-10-30T00:00:00.000000Z"),
    end: parseMicros("2026-11-03T23:59:59.000000Z"),
    order: "oldest-first",
    ...given,
  } satisfies BackfillPlan;
}

/** All times, taken so many at a time. */
function walk(of: BackfillPlan, count: number): BackfillTime[] {
  const walked: BackfillTime[] = [];
  for (let at: BackfillTime | null = null; ; ) {
    const ahead = timesFrom(of, { at, count: count + 1 });
    walked.push(...ahead.slice(0, count));
    at = ahead[count] ?? null;
    if (at === null) return walked;
  }
}

const shown = (times: readonly BackfillTime[]) =>
  times.map(({ date, schedule }) => `${formatMicros(date).slice(5, 13)} ${schedule}`);

describe("the times of a backfill", () => {
  test("follow the clock on the wall over a change of it", () => {
    const daily = plan([cron("0 9 * * *", "America/New_York")]);
    const expected = ["10-30T13 0", "10-31T13 0", "11-01T14 0", "11-02T14 0", "11-03T14 0"];
    expect(shown(walk(daily, 2))).toEqual(expected);
    expect(shown(walk({ ...daily, order: "newest-first" }, 2))).toEqual(expected.toReversed());
    expect(countTimes(daily, 100)).toBe(5);
  });

  test("include those at the beginning and at the end of the range", () => {
    const start = parseMicros("2026-10-30T09:00:00.000000Z");
    const end = parseMicros("2026-10-31T09:00:00.000000Z");
    for (const order of ["oldest-first", "newest-first"] as const)
      expect(walk(plan([cron("0 9 * * *")], { start, end, order }), 1)).toHaveLength(2);
  });

  test.each([1, 2, 3, 7, 1000])(
    "are the same however many are taken at a time, also where schedules meet: %i",
    (count) => {
      const schedules = [cron("0 */6 * * *"), cron("0 0 * * *"), cron("0 */12 * * *")];
      for (const order of ["oldest-first", "newest-first"] as const) {
        const whole = plan(schedules, { order });
        const all = walk(whole, count);
        expect(all).toEqual(timesFrom(whole, { at: null, count: 1000 }));
        expect(new Set(shown(all)).size).toBe(5 * (4 + 1 + 2));
        expect(countTimes(whole, 1000)).toBe(all.length);
      }
    },
  );

  test("are counted no further than asked", () => {
    const start = parseMicros("1900-01-01T00:00:00.000000Z");
    const count = countTimes(plan([cron("* * * * *"), cron("* * * * *")], { start }), 5000);
    expect(count).toBeGreaterThan(5000);
    expect(count).toBeLessThanOrEqual(6000);
  });

  test("are none where the range has none", () => {
    expect(walk(plan([cron("0 0 1 1 *")]), 5)).toEqual([]);
    expect(walk(plan([cron("0 0 1 1 *")], { order: "newest-first" }), 5)).toEqual([]);
  });
});

import { expect, test } from "vitest";
import { dashboardIntervals, fillIntervals, intervalsBetween } from "./history.rules.ts";

const NOON = "2026-01-01T12:00:00.000000Z";

test.each([
  ["2026-01-01T13:00:00.000000Z", 600, 6],
  ["2026-01-01T13:00:00.000000Z", 3600, 1],
  ["2026-01-01T13:00:00.000001Z", 3600, 2],
  ["2026-01-01T12:00:01.000000Z", 3600, 1],
  ["2026-01-02T12:00:00.000000Z", 1, 500],
  ["2026-01-01T12:00:00.000000Z", 60, 0],
  ["2026-01-01T11:00:00.000000Z", 60, 0],
  ["2026-01-01T12:00:03.000000Z", 1.5, 2],
])("from noon to %s by %d seconds there are %d intervals", (end, seconds, count) => {
  expect(intervalsBetween(NOON, { end, seconds }).count).toBe(count);
});

test("intervals follow one another, each with its own figures and empty ones with none", () => {
  const intervals = intervalsBetween(NOON, { end: "2026-01-01T12:00:20.000000Z", seconds: 10 });
  const figures = {
    state_type: "FAILED",
    state_name: "Failed",
    count_runs: 2,
    sum_estimated_run_time: 1,
    sum_estimated_lateness: 0,
  } as const;
  expect(fillIntervals(intervals, [{ interval: 1, ...figures }])).toEqual([
    { interval_start: NOON, interval_end: "2026-01-01T12:00:10.000000Z", states: [] },
    {
      interval_start: "2026-01-01T12:00:10.000000Z",
      interval_end: "2026-01-01T12:00:20.000000Z",
      states: [figures],
    },
  ]);
});

test("a dashboard spans whole minutes in twenty steps", () => {
  const { start, length, count } = dashboardIntervals(
    "2026-01-01T12:00:31.500000Z",
    "2026-01-01T12:19:00.000000Z",
  );
  expect(start).toBe(Date.parse("2026-01-01T12:00:00Z") * 1000);
  expect([length, count]).toEqual([60_000_000, 20]);
  expect(dashboardIntervals(NOON, "2026-01-01T11:00:00.000000Z").length).toBe(3_000_000);
});

test("intervals end with the last moment that can be written down", () => {
  const intervals = intervalsBetween("9999-12-01T00:00:00.000000Z", {
    end: "9999-12-31T00:00:00.000000Z",
    seconds: 10 * 366 * 86_400,
  });
  expect(fillIntervals(intervals, [])).toMatchObject([
    { interval_end: "9999-12-31T23:59:59.000000Z" },
  ]);
});

import { expect, test } from "vitest";
import { scheduleDraftOf, scheduleIn } from "./schedule-draft.ts";

const KEPT = {
  id: "",
  created: "",
  updated: "",
  deployment_id: "",
  active: true,
  max_scheduled_runs: null,
  parameters: {},
  slug: null,
  catchup: "latest",
  overlap: "skip",
  jitter_seconds: 0,
} as const;

const ANCHORED = { interval: 3600, anchor_date: "2026-11-01T00:00:00Z", timezone: "Asia/Tokyo" };

test.each([
  [{ cron: "0 3 * * *", day_or: false, timezone: "Europe/Berlin" }],
  [ANCHORED],
  [{ rrule: "FREQ=DAILY", timezone: "UTC" }],
])("%j that nobody has changed stays the same", (schedule) => {
  expect(scheduleIn(scheduleDraftOf({ ...KEPT, schedule }), schedule)).toEqual(schedule);
});

test("an interval that is made longer keeps its anchor", () => {
  const draft = { ...scheduleDraftOf({ ...KEPT, schedule: ANCHORED }), text: "7200" };
  expect(scheduleIn(draft, ANCHORED)).toEqual({ ...ANCHORED, interval: 7200 });
});

test("what becomes a schedule of another kind keeps nothing of the first but its zone", () => {
  const draft = {
    ...scheduleDraftOf({ ...KEPT, schedule: ANCHORED }),
    kind: "cron",
    text: "0 9 * * *",
  } as const;
  expect(scheduleIn(draft, ANCHORED)).toEqual({ cron: "0 9 * * *", timezone: "Asia/Tokyo" });
});

test("what is done about overlaps and missed times is kept, too", () => {
  expect(scheduleDraftOf({ ...KEPT, schedule: ANCHORED })).toMatchObject({
    overlap: "skip",
    catchup: "latest",
  });
});

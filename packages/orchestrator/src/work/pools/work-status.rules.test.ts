import { expect, test } from "vitest";
import { followedEvent, poolStatus, queueStatus } from "./work-status.rules.ts";

const NOW = "2026-11-14T09:10:00.000000Z";
const POLLED_FROM = "2026-11-14T09:09:00.000000Z";

test.each([
  ["prefect-agent", true, true, null],
  ["process", true, true, "PAUSED"],
  ["process", false, true, "READY"],
  ["process", false, false, "NOT_READY"],
])(
  "a pool of type %s, paused %s, with a worker %s has the status %s",
  (type, is_paused, has, status) => {
    expect(poolStatus({ type, is_paused }, has)).toBe(status);
  },
);

test.each([
  [true, POLLED_FROM, "PAUSED"],
  [false, null, "NOT_READY"],
  [false, "2026-11-14T09:09:00.000000Z", "READY"],
  [false, "2026-11-14T09:08:59.999999Z", "NOT_READY"],
])("a queue, paused %s, last polled at %s has the status %s", (is_paused, last_polled, status) => {
  expect(queueStatus({ is_paused, last_polled }, POLLED_FROM)).toBe(status);
});

test.each([
  ["2026-11-14T09:00:00.000001Z", "e"],
  ["2026-11-14T09:00:00.000000Z", null],
  [null, null],
])("a change of status after one at %s follows %s", (status_changed, follows) => {
  expect(followedEvent({ status_event_id: "e", status_changed }, NOW)).toBe(follows);
});

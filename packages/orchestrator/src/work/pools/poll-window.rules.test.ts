import { parseMicros } from "@orchestrator/kernel/pure";
import { expect, test } from "vitest";
import { dueAhead, msUntilDue, pollDueOf, secondsAhead } from "./poll-window.rules.ts";

const NOW = parseMicros("2026-11-14T09:00:00.000000Z");
const at = (time: string) => `2026-11-14T${time}Z`;

test("a poll that does not wait asks for any time it does not exclude", () => {
  expect(pollDueOf({})).toEqual({
    before: "9999-12-31T23:59:59.999999Z",
    after: "0000-01-01T00:00:00.000000Z",
  });
  const times = { scheduled_before: at("10:00:00.000000"), scheduled_after: at("08:00:00.000000") };
  expect(pollDueOf(times)).toEqual({
    before: times.scheduled_before,
    after: times.scheduled_after,
  });
});

test.each([
  [undefined, 0],
  [at("08:59:59.993000"), 0],
  [at("09:00:09.997000"), 10],
  [at("08:59:00.000000"), -60],
])("one that waits until %s wants runs %i seconds ahead of their time", (time, seconds) => {
  expect(secondsAhead({ scheduled_before: time }, NOW)).toBe(seconds);
});

test("what a poll that waits asks for moves on with the time", () => {
  expect(dueAhead(10, {}, NOW).before).toBe(at("09:00:10.000000"));
  expect(dueAhead(10, {}, NOW + 5_000_000).before).toBe(at("09:00:15.000000"));
  expect(dueAhead(1e12, {}, NOW)).toEqual(pollDueOf({}));
});

test("a run is wanted so many seconds before it is due, and at once when that is over", () => {
  expect(msUntilDue(at("09:00:30.000000"), 10, NOW)).toBe(20_000);
  expect(msUntilDue(at("09:00:00.000400"), 0, NOW)).toBe(1);
  expect(msUntilDue(at("08:00:00.000000"), 0, NOW)).toBe(0);
  expect(msUntilDue(null, 0, NOW)).toBeNull();
});

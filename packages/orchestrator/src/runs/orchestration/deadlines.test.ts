import { expect, test } from "vitest";
import { ALL, flowRun, later } from "../../testing/rule-tests.ts";
import { deadlineOf, type Expected } from "./deadlines.ts";

const settings = { claimTimeout: 600_000, cancellingTimeout: 25_000 };
const deadlines = (state_details: object, expected: Expected = {}) =>
  Object.fromEntries(
    ALL.map((to) => [
      to,
      deadlineOf(
        { settings } as never,
        flowRun({ from: null, to, proposed: { state_details } }).proposed,
        expected,
      ),
    ]).filter(([, deadline]) => deadline !== null),
  );

test("a run that is claimed or being cancelled cannot stay as it is on its own", () => {
  expect(deadlines({})).toEqual({ PENDING: later(600), CANCELLING: later(25) });
});

test("a pause ends when it says so, and a run that is claimed ahead of its time has until after it", () => {
  expect(deadlines({ scheduled_time: later(100), pause_timeout: later(5) })).toEqual({
    PENDING: later(700),
    PAUSED: later(5),
    CANCELLING: later(25),
  });
});

test("a run that has promised heartbeats must be heard of from when it runs", () => {
  expect(deadlines({}, { silenceSeconds: 90 })).toEqual({
    PENDING: later(600),
    RUNNING: later(90),
    CANCELLING: later(25),
  });
});

test("a run that its process is to try again must be tried in time", () => {
  expect(deadlines({ scheduled_time: later(100) }, { isTriedInProcess: true })).toEqual({
    SCHEDULED: later(700),
    PENDING: later(700),
    CANCELLING: later(25),
  });
});

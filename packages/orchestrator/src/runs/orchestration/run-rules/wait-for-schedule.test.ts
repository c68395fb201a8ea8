import { expect, test } from "vitest";
import {
  decide,
  flowRun,
  later,
  NOW,
  pairs,
  taskRun,
  verdicts,
} from "../../../testing/rule-tests.ts";
import { waitForSchedule } from "./wait-for-schedule.ts";

const due = (scheduled_time: string | null) => ({ state_details: { scheduled_time } });

test("a run that is scheduled or claimed does not start before its time", async () => {
  const initial = due(later(60));
  for (const make of [flowRun, taskRun]) {
    expect(await verdicts(waitForSchedule, (pair) => make({ ...pair, initial }))).toEqual(
      pairs(["SCHEDULED", "PENDING"], ["RUNNING"], "WAIT"),
    );
  }
});

test("a run whose time has come, or that has none, starts", async () => {
  for (const initial of [due(NOW), due(later(-60)), due(null)]) {
    expect(await verdicts(waitForSchedule, (pair) => flowRun({ ...pair, initial }))).toEqual({});
  }
});

test("the wait is in whole seconds, and one of less than half a second is none", async () => {
  for (const [seconds, expected] of [
    [0.4, { status: "ACCEPT", delaySeconds: 0 }],
    [0.6, { status: "WAIT", delaySeconds: 1 }],
    [90.2, { status: "WAIT", delaySeconds: 90 }],
    [90.7, { status: "WAIT", delaySeconds: 91 }],
  ] as const) {
    const transition = flowRun({ from: "PENDING", to: "RUNNING", initial: due(later(seconds)) });
    expect(await decide(waitForSchedule, transition)).toMatchObject(expected);
  }
});

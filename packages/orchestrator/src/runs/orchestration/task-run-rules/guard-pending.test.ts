import { expect, test } from "vitest";
import { decide, later, pairs, taskRun, verdicts } from "../../../testing/rule-tests.ts";
import { guardPendingTaskRun } from "./guard-pending.ts";

const TAKEN = ["PENDING", "RUNNING", "CANCELLING", "CANCELLED"] as const;

test("one worker takes a background task", async () => {
  expect(await verdicts(guardPendingTaskRun, taskRun)).toEqual(pairs(TAKEN, ["PENDING"], "ABORT"));
});

test("only who has taken it says how far it is, by another name", async () => {
  const initial = { state_details: { scheduled_time: later(60) } };
  const proposed = { name: "Submitting" };
  expect(
    await verdicts(guardPendingTaskRun, (pair) => taskRun({ ...pair, initial, proposed })),
  ).toEqual({
    ...pairs(TAKEN, ["PENDING"], "ABORT"),
    ...pairs(["PENDING"], ["PENDING"], "CHANGE"),
  });
  const progress = taskRun({ from: "PENDING", to: "PENDING", initial, proposed });
  expect((await decide(guardPendingTaskRun, progress)).state).toMatchObject(initial);
});

import { expect, test } from "vitest";
import { decide, FROM_ALL, pairs, taskRun, verdicts } from "../../../testing/rule-tests.ts";
import { countFlowRun } from "./count-flow-run.ts";

const parent = { state: null, run_count: 7 };

test("a task run that starts knows in which execution of its flow that is", async () => {
  expect(await verdicts(countFlowRun, (pair) => taskRun({ ...pair, parent }))).toEqual(
    pairs(FROM_ALL, ["RUNNING"], "NOTE"),
  );
  const transition = taskRun({ from: "PENDING", to: "RUNNING", parent });
  await decide(countFlowRun, transition);
  expect(transition.counts.flowRunRunCount).toBe(7);
});

test("a task run of its own has no such count", async () => {
  expect(await verdicts(countFlowRun, taskRun)).toEqual({});
});

import { expect, test } from "vitest";
import {
  ALL,
  ANY_ID,
  decide,
  FROM_ALL,
  later,
  pairs,
  taskRun,
  verdicts,
  without,
} from "../../../testing/rule-tests.ts";
import { checkParent } from "./check-parent.ts";

const run = { flow_run_id: ANY_ID };
const parentIn = (type: string, state_details = {}) => ({
  state: JSON.stringify({ type, state_details }),
  run_count: 1,
});

test("a task runs while its flow runs, or when it belongs to none", async () => {
  const parent = parentIn("RUNNING");
  expect(await verdicts(checkParent, (pair) => taskRun({ ...pair, run, parent }))).toEqual({});
  expect(await verdicts(checkParent, taskRun)).toEqual({});
});

test("a task of a flow that does not run is not started", async () => {
  const expected = pairs(FROM_ALL, ["RUNNING"], "ABORT");
  for (const type of without(ALL, "RUNNING", "PAUSED")) {
    const parent = parentIn(type);
    expect(await verdicts(checkParent, (pair) => taskRun({ ...pair, run, parent }))).toEqual(
      expected,
    );
  }
  for (const parent of [null, { state: null, run_count: 0 }]) {
    expect(await verdicts(checkParent, (pair) => taskRun({ ...pair, run, parent }))).toEqual(
      expected,
    );
  }
});

test("a task of a paused flow waits as long as the flow does", async () => {
  const details = { pause_timeout: later(60), pause_reschedule: true };
  const parent = parentIn("PAUSED", details);
  expect(await verdicts(checkParent, (pair) => taskRun({ ...pair, run, parent }))).toEqual(
    pairs(FROM_ALL, ["RUNNING"], "REJECT PAUSED NotReady"),
  );
  const { state } = await decide(
    checkParent,
    taskRun({ from: "PENDING", to: "RUNNING", run, parent }),
  );
  expect(state?.state_details).toMatchObject(details);
});

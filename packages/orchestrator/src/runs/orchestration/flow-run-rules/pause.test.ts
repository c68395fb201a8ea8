import { expect, test } from "vitest";
import {
  ALL,
  ANY_ID,
  decide,
  flowRun,
  pairs,
  verdicts,
  without,
} from "../../../testing/rule-tests.ts";
import { pauseFlowRunRule } from "./pause.ts";

const at = (pause_key: string, pause_reschedule = false) => ({
  state_details: { pause_key, pause_reschedule },
});
const NOT_RUNNING = {
  ...pairs([null], ["PAUSED"], "ABORT"),
  ...pairs(without(ALL, "RUNNING"), ["PAUSED"], "REJECT"),
};

test("only a running run can pause", async () => {
  expect(await verdicts(pauseFlowRunRule, flowRun)).toEqual({
    ...NOT_RUNNING,
    ...pairs(["RUNNING"], ["PAUSED"], "NOTE"),
  });
});

test("a pause point holds a run up once", async () => {
  const policy = { pause_keys: ["first"] };
  const passed = (pair: Parameters<typeof flowRun>[0]) =>
    flowRun({ ...pair, proposed: at("first"), policy });
  expect(await verdicts(pauseFlowRunRule, passed)).toEqual({
    ...NOT_RUNNING,
    ...pairs(["RUNNING"], ["PAUSED"], "REJECT"),
  });
  const next = flowRun({ from: "RUNNING", to: "PAUSED", proposed: at("second"), policy });
  expect(await decide(pauseFlowRunRule, next)).toMatchObject({
    status: "ACCEPT",
    state: at("second"),
  });
  expect(next.policy.current()).toEqual({ pause_keys: ["first", "second"] });
});

test("a pause without a key is a point of its own, and its state names none", async () => {
  const policy = { pause_keys: ["first"] };
  const transition = flowRun({ from: "RUNNING", to: "PAUSED", policy });
  const { state } = await decide(pauseFlowRunRule, transition);
  expect(state?.state_details.pause_key).toBeNull();
  expect(transition.policy.current().pause_keys).toEqual(["first", expect.any(String)]);
});

test("a run that nobody could start again is not suspended", async () => {
  const proposed = at("k", true);
  const pair = { from: "RUNNING", to: "PAUSED", proposed } as const;
  for (const run of [{ deployment_id: null }, { parent_task_run_id: ANY_ID }]) {
    const transition = flowRun({ ...pair, run });
    expect(await decide(pauseFlowRunRule, transition)).toMatchObject({
      status: "ABORT",
      state: null,
    });
    expect(transition.policy.current()).toEqual({});
  }
  expect(await decide(pauseFlowRunRule, flowRun(pair))).toMatchObject({ status: "ACCEPT" });
});

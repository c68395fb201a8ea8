import { expect, test } from "vitest";
import { decide, ENDS, flowRun, later, NOW, pairs, verdicts } from "../../../testing/rule-tests.ts";
import { resumeFlowRunRule } from "./resume.ts";

const GOES_ON = pairs(["PAUSED"], ["RUNNING", "SCHEDULED"], "NOTE");
const NO_WAY = pairs(["PAUSED"], ["PENDING", "PAUSED"], "REJECT");

test("a paused run goes on, is scheduled again, ends or is cancelled", async () => {
  expect(await verdicts(resumeFlowRunRule, flowRun)).toEqual({ ...GOES_ON, ...NO_WAY });
});

test("a paused run can be cancelled in either dialect", async () => {
  expect(
    await verdicts(resumeFlowRunRule, (pair) => flowRun({ ...pair, dialect: "prefect" })),
  ).toEqual({
    ...GOES_ON,
    ...NO_WAY,
  });
});

test("a suspended run without a deployment can only be cancelled", async () => {
  const initial = { state_details: { pause_reschedule: true } };
  const run = { deployment_id: null };
  expect(await verdicts(resumeFlowRunRule, (pair) => flowRun({ ...pair, initial, run }))).toEqual({
    ...NO_WAY,
    ...pairs(["PAUSED"], ["RUNNING", "SCHEDULED", ...ENDS], "REJECT"),
  });
});

test("a run that waited too long fails instead of going on, and can still end as it likes", async () => {
  const late = { state_details: { pause_timeout: later(-1) } };
  expect(await verdicts(resumeFlowRunRule, (pair) => flowRun({ ...pair, initial: late }))).toEqual({
    ...NO_WAY,
    ...pairs(["PAUSED"], ["RUNNING", "SCHEDULED"], "REJECT FAILED Failed"),
  });
  const inTime = { state_details: { pause_timeout: NOW } };
  expect(
    await verdicts(resumeFlowRunRule, (pair) => flowRun({ ...pair, initial: inTime })),
  ).toEqual({
    ...GOES_ON,
    ...NO_WAY,
  });
});

test("what goes on is known to be no new execution", async () => {
  for (const [to, policy] of [
    ["SCHEDULED", { resuming: true }],
    ["RUNNING", { resuming: true }],
    ["FAILED", {}],
    ["CANCELLING", {}],
  ] as const) {
    const transition = flowRun({ from: "PAUSED", to });
    await decide(resumeFlowRunRule, transition);
    expect(transition.policy.current()).toEqual(policy);
  }
});

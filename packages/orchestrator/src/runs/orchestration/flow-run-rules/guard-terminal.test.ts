import type { FlowRunPolicy } from "@orchestrator/contract";
import { expect, test } from "vitest";
import { decide, ENDS, flowRun, pairs, verdicts } from "../../../testing/rule-tests.ts";
import { guardTerminalFlowRun } from "./guard-terminal.ts";

const NEVER = pairs(ENDS, ["CANCELLING", "PAUSED", "CRASHED"], "ABORT");
const AGAIN = pairs(ENDS, ["SCHEDULED", "PENDING", "RUNNING"], "NOTE");
const policy: FlowRunPolicy = { resuming: true, pause_keys: ["a"], retry_type: "in_process" };

test("a run that has ended can end otherwise or run again, but not pause, crash or be cancelled", async () => {
  expect(await verdicts(guardTerminalFlowRun, (pair) => flowRun({ ...pair, policy }))).toEqual({
    ...NEVER,
    ...AGAIN,
  });
});

test("one that has no deployment cannot be scheduled again", async () => {
  const run = { deployment_id: null };
  expect(await verdicts(guardTerminalFlowRun, (pair) => flowRun({ ...pair, policy, run }))).toEqual(
    {
      ...NEVER,
      ...AGAIN,
      ...pairs(ENDS, ["SCHEDULED"], "ABORT"),
    },
  );
});

test("a result that was kept is neither given up nor overwritten by none", async () => {
  const initial = { data: { type: "reference", storage_key: "k" } };
  expect(
    await verdicts(guardTerminalFlowRun, (pair) => flowRun({ ...pair, policy, initial })),
  ).toEqual({
    ...NEVER,
    ...AGAIN,
    ...pairs(["COMPLETED"], ["SCHEDULED", "PENDING", "RUNNING", "COMPLETED"], "REJECT"),
  });
  const proposed = { data: { type: "reference", storage_key: "new" } };
  const { status } = await decide(
    guardTerminalFlowRun,
    flowRun({ from: "COMPLETED", to: "COMPLETED", initial, proposed }),
  );
  expect(status).toBe("ACCEPT");
});

test("a result that was not kept stands in nobody's way", async () => {
  const initial = { data: { type: "unpersisted" } };
  expect(
    await verdicts(guardTerminalFlowRun, (pair) => flowRun({ ...pair, policy, initial })),
  ).toEqual({
    ...NEVER,
    ...AGAIN,
  });
});

test("running again begins with no pauses behind it, and says who is to start it", async () => {
  for (const [to, retry_type] of [
    ["SCHEDULED", "reschedule"],
    ["RUNNING", null],
    ["PENDING", null],
  ] as const) {
    const transition = flowRun({ from: "FAILED", to, policy });
    await decide(guardTerminalFlowRun, transition);
    expect(transition.policy.current()).toEqual({ resuming: false, pause_keys: [], retry_type });
  }
});

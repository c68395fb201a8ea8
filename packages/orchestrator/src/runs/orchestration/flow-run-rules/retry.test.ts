import { expect, test } from "vitest";
import {
  ANY_ID,
  decide,
  flowRun,
  later,
  OTHER_ID,
  pairs,
  verdicts,
} from "../../../testing/rule-tests.ts";
import { retryFlowRunRule } from "./retry.ts";

const failure = { from: "RUNNING", to: "FAILED" } as const;

test("a running run that fails is tried again", async () => {
  const policy = { retries: 1 };
  expect(await verdicts(retryFlowRunRule, (pair) => flowRun({ ...pair, policy }))).toEqual(
    pairs(["RUNNING"], ["FAILED"], "REJECT SCHEDULED AwaitingRetry"),
  );
});

test("a run is tried as often as its policy says, and fails then", async () => {
  for (const [retries, run_count, status] of [
    [null, 1, "ACCEPT"],
    [0, 1, "ACCEPT"],
    [-1, 1, "ACCEPT"],
    [2, 1, "REJECT"],
    [2, 2, "REJECT"],
    [2, 3, "ACCEPT"],
  ] as const) {
    const policy = { retries, retry_type: "in_process" } as const;
    const transition = flowRun({ ...failure, policy, run: { run_count } });
    expect(await decide(retryFlowRunRule, transition)).toMatchObject({ status });
    expect(transition.policy.current().retry_type).toBe(status === "REJECT" ? "in_process" : null);
  }
});

test("a next try that would come after all that can be kept comes in the year 9999", async () => {
  const transition = flowRun({ ...failure, policy: { retries: 1, retry_delay: 300_000_000_000 } });
  expect((await decide(retryFlowRunRule, transition)).state).toMatchObject({
    state_details: { scheduled_time: "9999-12-31T00:00:00.000000Z" },
  });
});

test("the next try comes after the delay, with the failure's message and data, in the same process", async () => {
  const policy = { retries: 1, retry_delay: 30, resuming: true, pause_keys: ["k"] };
  const claim = { deployment_concurrency_lease_id: ANY_ID, claim_id: OTHER_ID };
  const proposed = { message: "boom", data: { type: "reference" }, state_details: claim };
  const transition = flowRun({ ...failure, policy, proposed });
  expect((await decide(retryFlowRunRule, transition)).state).toMatchObject({
    message: "boom",
    data: { type: "reference" },
    state_details: { ...claim, scheduled_time: later(30) },
  });
  expect(transition.policy.current()).toEqual({
    retries: 1,
    retry_delay: 30,
    resuming: false,
    pause_keys: [],
    retry_type: "in_process",
  });
});

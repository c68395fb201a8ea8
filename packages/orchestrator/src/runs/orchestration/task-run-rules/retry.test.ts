import { expect, test } from "vitest";
import { decide, later, pairs, taskRun, verdicts } from "../../../testing/rule-tests.ts";
import { retryDelay, retryTaskRunRule } from "./retry.ts";

const failure = { from: "RUNNING", to: "FAILED" } as const;
const withPolicy = (policy: object, run_count = 1) => ({
  run_count,
  empirical_policy: JSON.stringify(policy),
});

test("a running task that fails is tried again", async () => {
  const run = withPolicy({ retries: 1 });
  expect(await verdicts(retryTaskRunRule, (pair) => taskRun({ ...pair, run }))).toEqual(
    pairs(["RUNNING"], ["FAILED"], "REJECT SCHEDULED AwaitingRetry"),
  );
});

test("a task is tried as often as its policy says, and fails then", async () => {
  for (const [retries, run_count, status] of [
    [null, 0, "ACCEPT"],
    [null, 1, "ACCEPT"],
    [0, 1, "ACCEPT"],
    [-1, 1, "ACCEPT"],
    [2, 2, "REJECT"],
    [2, 3, "ACCEPT"],
  ] as const) {
    const run = withPolicy({ retries }, run_count);
    expect(await decide(retryTaskRunRule, taskRun({ ...failure, run }))).toMatchObject({ status });
  }
});

test("a failure that is said to be of no use to repeat is final", async () => {
  const run = withPolicy({ retries: 5 });
  for (const [retriable, status] of [
    [false, "ACCEPT"],
    [true, "REJECT"],
    [null, "REJECT"],
  ] as const) {
    const proposed = { state_details: { retriable } };
    expect(await decide(retryTaskRunRule, taskRun({ ...failure, run, proposed }))).toMatchObject({
      status,
    });
  }
});

test("the next try comes after the delay, with the failure's message and data", async () => {
  const run = withPolicy({ retries: 1, retry_delay: 30 });
  const proposed = { message: "boom", data: { type: "reference" } };
  expect(
    (await decide(retryTaskRunRule, taskRun({ ...failure, run, proposed }))).state,
  ).toMatchObject({
    ...proposed,
    state_details: { scheduled_time: later(30) },
  });
});

test("a list of delays holds one for each try, the last for all further ones", () => {
  const delays = [1, 2, 3, 4].map((count) => retryDelay({ retry_delay: [5, 10, 20] }, count, 0));
  expect(delays).toEqual([5, 10, 20, 20]);
  expect([retryDelay({ retry_delay: [] }, 1, 0), retryDelay({}, 1, 0)]).toEqual([0, 0]);
});

test("jitter spreads a delay from three quarters of it to as much more as the factor says", () => {
  const policy = { retry_delay: 100, retry_jitter_factor: 0.5 };
  expect([0, 1].map((random) => retryDelay(policy, 1, random))).toEqual([75, 150]);
  expect(retryDelay({ ...policy, retry_jitter_factor: 0 }, 1, 1)).toBe(100);
});

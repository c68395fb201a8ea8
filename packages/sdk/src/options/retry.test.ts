import { expect, test } from "vitest";
import { exponentialBackoff, passesRetryCondition, retryDelaySeconds } from "./retry.ts";

const error = new Error("no");
const delays = (options: Parameters<typeof retryDelaySeconds>[0], random = 0): number[] =>
  [1, 2, 3, 4].map((attempt) => retryDelaySeconds(options, { attempt, error, random }));

test("a number is every delay, and the last of a list goes on", () => {
  expect(delays({ retryDelaySeconds: 2 })).toEqual([2, 2, 2, 2]);
  expect(delays({ retryDelaySeconds: [1, 5] })).toEqual([1, 5, 5, 5]);
  expect(delays({ retryDelaySeconds: [] })).toEqual([0, 0, 0, 0]);
  expect(delays({})).toEqual([0, 0, 0, 0]);
});

test("a function says the delay by the attempt", () => {
  expect(delays({ retryDelaySeconds: exponentialBackoff(2, 10) })).toEqual([2, 4, 8, 10]);
});

test("jitter makes delays longer by up to its share", () => {
  expect(delays({ retryDelaySeconds: 2, retryJitter: 0.5 }, 1)).toEqual([3, 3, 3, 3]);
  expect(delays({ retryDelaySeconds: 2, retryJitter: 0.5 }, 0)).toEqual([2, 2, 2, 2]);
});

test("there are as many attempts as asked for, and only for errors that are worth one", async () => {
  expect(await passesRetryCondition({ retries: 1 }, error, 1)).toBe(true);
  expect(await passesRetryCondition({ retries: 1 }, error, 2)).toBe(false);
  expect(await passesRetryCondition({}, error, 1)).toBe(false);
  expect(await passesRetryCondition({ retries: 1, retryIf: () => false }, error, 1)).toBe(false);
});

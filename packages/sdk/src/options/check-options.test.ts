import { expect, test } from "vitest";
import { flow } from "../flow.ts";
import { task } from "../task.ts";

test.each([
  [{ retries: -1 }, "retries of the task t is a whole number from 0, or Infinity, not -1"],
  [{ retries: 1.5 }, "retries of the task t is a whole number from 0, or Infinity, not 1.5"],
  [{ timeoutSeconds: 0 }, "timeoutSeconds of the task t is a number above 0, not 0"],
  [{ timeoutSeconds: "5" }, "timeoutSeconds of the task t is a number above 0, not '5'"],
  [{ retryDelaySeconds: [1, -1] }, "retryDelaySeconds of the task t is a number from 0, not -1"],
  [{ timeoutSeconds: null }, "timeoutSeconds of the task t is a number above 0, not null"],
  [{ cacheSeconds: Number.NaN }, "cacheSeconds of the task t is a number from 0, not NaN"],
  [{ retrys: 3 }, "The task t has an option retrys, which there is not"],
])("a task with the options %j is refused when it is made", (options, message) => {
  const made = (): unknown => task({ name: "t", ...(options as object) }, () => 1);
  expect(made).toThrow(message);
});

test.each([
  { retries: Number.POSITIVE_INFINITY },
  { cacheSeconds: 0 },
  { timeoutSeconds: undefined },
])("a task may have the options %j", (options) => {
  expect(() => task({ name: "t", ...(options as object) }, () => 1)).not.toThrow();
});

test.each([0, 2.5, "4", null])("a flow does not run %j tasks at once", (taskConcurrency) => {
  const options = { name: "f", taskConcurrency } as object;
  expect(() => flow(options, () => 1)).toThrow(
    "taskConcurrency of the flow f is a whole number from 1, or Infinity, not ",
  );
});

test("a flow knows its own options, also when they are changed", () => {
  const made = flow({ name: "f", retries: 2, retryDelaySeconds: [0, 1] }, () => 1);
  const withOther = (options: object): unknown => made.withOptions(options);
  expect(() => withOther({ taskConcurrency: 2, timeoutSeconds: 0.5 })).not.toThrow();
  expect(() => withOther({ cacheKey: "k" })).toThrow(
    "The flow f has an option cacheKey, which there is not",
  );
});

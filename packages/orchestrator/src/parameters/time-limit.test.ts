import { expect, test } from "vitest";
import { runWithin, TimeLimitError } from "./time-limit.ts";

test("hands out what the work returns and throws", () => {
  expect(runWithin(1000, () => ({ a: 1 }))).toEqual({ a: 1 });
  const error = new Error("own");
  expect(() =>
    runWithin(1000, () => {
      throw error;
    }),
  ).toThrow(error);
});

test.each<[string, () => unknown]>([
  [
    "a loop",
    () => {
      for (;;);
    },
  ],
  ["a regular expression", () => /^(a+)+$/.test(`${"a".repeat(60)}!`)],
])("cuts off %s and works again afterwards", (_name, work) => {
  expect(() => runWithin(20, work)).toThrow(TimeLimitError);
  expect(runWithin(1000, () => 5)).toBe(5);
});

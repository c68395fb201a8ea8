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

test("does not count against the work that the machine had no time for it", () => {
  const asleep = new Int32Array(new SharedArrayBuffer(4));
  let attempts = 0;
  const work = () => {
    attempts += 1;
    if (attempts < 3) Atomics.wait(asleep, 0, 0, 60_000);
    return attempts;
  };
  expect(runWithin(50, work)).toBe(3);
  expect(() => runWithin(50, () => Atomics.wait(asleep, 0, 0, 60_000))).toThrow(TimeLimitError);
});

import { expect, test } from "vitest";
import { MAX_PARAMETERS_BYTES, mergeParameters, parametersTooLarge } from "./merge.ts";

test("a run's own parameters replace those of its deployment whole", () => {
  const deployment = { a: 1, b: { x: 1, y: 2 }, c: 3 };
  expect(mergeParameters(deployment, { b: { x: 5 }, c: null })).toEqual({
    a: 1,
    b: { x: 5 },
    c: null,
  });
  expect(deployment).toEqual({ a: 1, b: { x: 1, y: 2 }, c: 3 });
});

test.each([
  ["x".repeat(MAX_PARAMETERS_BYTES), false],
  ["x".repeat(MAX_PARAMETERS_BYTES + 1), true],
  ["é".repeat(MAX_PARAMETERS_BYTES / 2), false],
  ["é".repeat(MAX_PARAMETERS_BYTES / 2 + 1), true],
  ["{}", false],
])("the size of parameters is counted in bytes", (json, isTooLarge) => {
  expect(parametersTooLarge(json)).toBe(isTooLarge);
});

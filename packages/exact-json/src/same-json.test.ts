import { expect, test } from "vitest";
import { readJson } from "./exact-json.ts";
import { isSameJson, isUnchangedJson } from "./same-json.ts";

test.each([
  ["1", "1.0"],
  ["1e17", "100000000000000000"],
  ["1e+17", "100000000000000000"],
  ["[1.0]", "[1]"],
  ["-0.0", "0"],
  ["-1e22", "-10000000000000000000000"],
  ["12345678901234567890", "12345678901234567890"],
  ['{"a":[1e17,{"b":null}],"c":"x"}', '{"c":"x","a":[100000000000000000,{"b":null}]}'],
])("%s is the same as %s", (one, other) => {
  expect(isSameJson(readJson(one), readJson(other))).toBe(true);
  expect(isSameJson(readJson(other), readJson(one))).toBe(true);
});

test.each([
  ["1", '"1"'],
  ["1", "true"],
  ["0", "null"],
  ["12345678901234567890", "12345678901234567891"],
  ["12345678901234567890", '"12345678901234567890"'],
  ["[1]", '{"0":1}'],
  ["[1,2]", "[1]"],
  ["{}", "[]"],
  ["{}", "null"],
  ['{"a":null}', '{"b":null}'],
  ['{"a":1}', '{"a":1,"b":2}'],
])("%s is not the same as %s", (one, other) => {
  expect(isSameJson(readJson(one), readJson(other))).toBe(false);
  expect(isSameJson(readJson(other), readJson(one))).toBe(false);
});

test.each([
  ["1", "1.0"],
  ['{"a":[1.0]}', '{"a":[1]}'],
  ["[1e+17]", "[100000000000000000]"],
  ["1.0", "2.0"],
  ["1.0", "null"],
])("%s is changed by %s", (one, other) => {
  expect(isUnchangedJson(readJson(one), readJson(other))).toBe(false);
  expect(isUnchangedJson(readJson(other), readJson(one))).toBe(false);
});

test("what only has its names in another order is unchanged", () => {
  const [one, other] = ['{"a":1.0,"b":[2]}', '{"b":[2],"a":1.00}'];
  expect(isUnchangedJson(readJson(one), readJson(other))).toBe(true);
});

import { expect, test } from "vitest";
import { isSearched, longestSearched } from "./events-filter.rules.ts";

test.each([
  ["abc", false],
  ["abc*", false],
  ["ab?**", false],
  ["*", false],
  ["!abc*", false],
  ["*abc", true],
  ["a*c", true],
  ["!a*c*", true],
])("whether %s has to be looked for in every place of a text: %s", (pattern, expected) => {
  expect(isSearched(pattern)).toBe(expected);
});

test("the longer the patterns are together, the shorter the texts they are asked of", () => {
  expect(longestSearched(["*refused*", "exact", "start*"])).toBeGreaterThan(131_072);
  expect(longestSearched(Array<string>(100).fill(`*${"a".repeat(999)}`))).toBeLessThan(100);
});

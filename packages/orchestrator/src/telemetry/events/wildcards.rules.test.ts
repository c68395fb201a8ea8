import { describe, expect, test } from "vitest";
import { matchesPattern, newMatchBudget } from "./wildcards.rules.ts";

test.each([
  ["abc", "abc", true],
  ["abc", "abcd", false],
  ["a*", "abc", true],
  ["*c", "abc", true],
  ["a*b*c", "a-b-b-c", true],
  ["a*b*c", "a-c-b", false],
  ["?", "", false],
  ["??", "ab", true],
  ["*", "", true],
  ["", "", true],
  ["!a*", "abc", false],
  ["!a*", "xbc", true],
  ["a.c", "abc", false],
  ["a*?", "a", false],
  ["*a?", "xa😀", true],
  ["*😀*", "a😀c", true],
  ["*aab*aab*", "aaabaab", true],
  ["*aba*aba*", "ababa", false],
  ["ab*ba", "aba", false],
  ["*abcabd*", "abcabcabd", true],
  ["**", "", true],
  ["!*b*", "abc", false],
])("the pattern %s for the value %s: %s", (pattern, value, expected) => {
  expect(matchesPattern(pattern, value, newMatchBudget())).toBe(expected);
});

test("texts between stars are found where a plain search finds them", () => {
  const texts = Array.from({ length: 64 }, (_, n) => n.toString(2).replaceAll("0", "a"));
  for (const one of texts)
    for (const other of texts) {
      const value = `${one}1${other}${one}`;
      const at = value.indexOf(one);
      const isThere = value.indexOf(other, at + one.length) !== -1;
      expect(matchesPattern(`*${one}*${other}*`, value, newMatchBudget())).toBe(isThere);
    }
});

describe("a pattern that takes more steps than one event is worth", () => {
  const slow = `*?${"a".repeat(997)}b`;
  const long = "a".repeat(131_072);

  test("does not match, nor does its opposite", () => {
    for (const pattern of [slow, `!${slow}`]) {
      const effort = newMatchBudget();
      expect(matchesPattern(pattern, long, effort)).toBe(false);
      expect(effort.steps).toBe(0);
    }
  });

  test("is not one with many stars, and not one that looks through a long text once", () => {
    const effort = newMatchBudget();
    expect(matchesPattern(`${"a*".repeat(400)}b`, "a".repeat(20_000), effort)).toBe(false);
    expect(matchesPattern("*b*", `${long}b`, effort)).toBe(true);
    expect(matchesPattern(`*${"a".repeat(998)}b*`, long, effort)).toBe(false);
    expect(effort.steps).toBeGreaterThan(100_000);
  });
});

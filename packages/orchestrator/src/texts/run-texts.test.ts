import { describe, expect, test } from "vitest";
import { formsOf, runKey, runName, runTag, stateName, taskKey } from "./run-texts.ts";

const bytes = (text: string): number => Buffer.byteLength(text);
const WIDE = "日";
const PAIR = "😀";

describe("the name of a run", () => {
  test.each(["nightly", "n".repeat(1000), WIDE.repeat(800), PAIR.repeat(600)])(
    "stays as it is: %#",
    (name) => {
      expect(runName(name)).toBe(name);
    },
  );

  test("keeps its beginning and its end where it is long", () => {
    expect(runName(`first${"n".repeat(5000)}last`)).toMatch(/^firstn+\.\.\.n+last$/);
  });

  test.each([WIDE, PAIR, "\ud800", "n"])("is bounded in characters and in bytes: %#", (letter) => {
    const name = runName(letter.repeat(5000));
    expect(name.length).toBeLessThanOrEqual(1000);
    expect(bytes(name)).toBeLessThanOrEqual(2500);
    expect(name.isWellFormed()).toBe(true);
  });
});

test("the name of a state is cut likewise", () => {
  expect(stateName("Ready")).toBe("Ready");
  expect(stateName(PAIR.repeat(255))).toBe(PAIR.repeat(255));
  expect(stateName("n".repeat(300))).toHaveLength(255);
});

describe.each([
  ["of a run or a result", runKey, 2500] as const,
  ["of a task", taskKey, 1250] as const,
  ["that is a tag", runTag, 1000] as const,
])("a key %s", (_, cut, bound) => {
  test("stays as it is up to its bound", () => {
    const key = "k".repeat(bound);
    expect(cut(key)).toBe(key);
    expect(cut(`${key}k`)).not.toBe(`${key}k`);
  });

  test.each(["k", WIDE, PAIR])(
    "that is long stays the same as itself, and other than others: %#",
    (letter) => {
      const half = letter.repeat(3000);
      expect(cut(`${half}a`)).toBe(cut(`${half}a`));
      expect(cut(`${half}a${half}`)).not.toBe(cut(`${half}b${half}`));
      expect(bytes(cut(half))).toBeLessThanOrEqual(1250);
      expect(cut(half).startsWith(letter.repeat(100))).toBe(true);
      expect(cut(cut(half))).toBe(cut(half));
    },
  );
});

test("a text that is cut has two forms to be looked for, the cut one first; another has one", () => {
  const long = "k".repeat(3000);
  expect(formsOf(runKey)(long)).toEqual([runKey(long), long]);
  expect(formsOf(runKey)("k")).toEqual(["k"]);
});

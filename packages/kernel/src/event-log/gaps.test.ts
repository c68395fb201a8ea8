import fc from "fast-check";
import { expect, test } from "vitest";
import { narrowGap, pickReadable } from "./gaps.ts";

test("delivers nothing where there is nothing", () => {
  expect(pickReadable(5, [], 0)).toEqual({ deliver: 0, isBlocked: false });
});

test("delivers positions that follow one another", () => {
  expect(pickReadable(5, [6, 7, 8], 0)).toEqual({ deliver: 3, isBlocked: false });
});

test("stops before a missing position of unknown fate", () => {
  expect(pickReadable(5, [6, 8, 9], 0)).toEqual({ deliver: 1, isBlocked: true });
  expect(pickReadable(5, [7], 0)).toEqual({ deliver: 0, isBlocked: true });
});

test("steps over what is known to be gone, and stops at the gap beyond it", () => {
  expect(pickReadable(5, [6, 8], 8)).toEqual({ deliver: 2, isBlocked: false });
  expect(pickReadable(0, [7, 8], 8)).toEqual({ deliver: 2, isBlocked: false });
  expect(pickReadable(5, [7, 8, 9, 11], 8)).toEqual({ deliver: 3, isBlocked: true });
});

test("a gap stays open as long as one of its writers runs, whoever came later", () => {
  const gap = { upTo: 8, writers: new Set(["a", "b"]) };
  expect(narrowGap(gap, new Set(["b", "later"]))).toEqual({ upTo: 8, writers: new Set(["b"]) });
  expect(narrowGap(gap, new Set(["later"]))).toBeNull();
});

const ascending = fc
  .uniqueArray(fc.integer({ min: 1, max: 60 }), { maxLength: 40 })
  .map((positions) => positions.toSorted((a, b) => a - b));

test("never delivers a position while one before it may still appear, and always all that it may", () => {
  fc.assert(
    fc.property(ascending, fc.nat(60), fc.nat(60), (positions, after, settledUpTo) => {
      const visible = positions.filter((position) => position > after);
      const { deliver } = pickReadable(after, visible, settledUpTo);
      const mayStillAppear = (position: number) =>
        !visible.includes(position) &&
        !visible.some((seen) => seen > position && seen <= settledUpTo);
      const expected = visible.filter((position) => {
        for (let before = after + 1; before < position; before += 1) {
          if (mayStillAppear(before)) return false;
        }
        return true;
      });
      expect(visible.slice(0, deliver)).toEqual(expected);
    }),
  );
});

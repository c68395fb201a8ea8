import fc from "fast-check";
import { expect, test } from "vitest";
import { type Gap, pickReadable } from "./gaps.ts";

const unknown = { gap: null, oldestRunning: 100n };
const watched = (upTo: number, holdersBelow: bigint): Gap => ({ upTo, holdersBelow });

test("delivers nothing where there is nothing", () => {
  expect(pickReadable(5, [], unknown)).toEqual({ deliver: 0, isBlocked: false });
});

test("delivers positions that follow one another", () => {
  expect(pickReadable(5, [6, 7, 8], unknown)).toEqual({ deliver: 3, isBlocked: false });
});

test("stops before a missing position of unknown fate", () => {
  expect(pickReadable(5, [6, 8, 9], unknown)).toEqual({ deliver: 1, isBlocked: true });
  expect(pickReadable(5, [7], unknown)).toEqual({ deliver: 0, isBlocked: true });
});

test("waits as long as someone who could fill the gap is running", () => {
  const gap = watched(8, 100n);
  expect(pickReadable(5, [6, 8], { gap, oldestRunning: 99n })).toEqual({
    deliver: 1,
    isBlocked: true,
  });
  expect(pickReadable(5, [6, 8], { gap, oldestRunning: 100n })).toEqual({
    deliver: 1,
    isBlocked: true,
  });
});

test("steps over the gap once all who could fill it have ended", () => {
  const gap = watched(8, 100n);
  expect(pickReadable(5, [6, 8], { gap, oldestRunning: 101n })).toEqual({
    deliver: 2,
    isBlocked: false,
  });
  expect(pickReadable(0, [7, 8], { gap, oldestRunning: 101n })).toEqual({
    deliver: 2,
    isBlocked: false,
  });
});

test("stops at a gap beyond the one that is settled", () => {
  const gap = watched(8, 100n);
  expect(pickReadable(5, [7, 8, 9, 11], { gap, oldestRunning: 101n })).toEqual({
    deliver: 3,
    isBlocked: true,
  });
});

const ascending = fc
  .uniqueArray(fc.integer({ min: 1, max: 60 }), { maxLength: 40 })
  .map((positions) => positions.toSorted((a, b) => a - b));

test("never delivers a position while one before it may still appear, and always all that it may", () => {
  fc.assert(
    fc.property(
      ascending,
      fc.option(fc.record({ upTo: fc.nat(70), holdersBelow: fc.bigInt(1n, 20n) }), { nil: null }),
      fc.bigInt(1n, 20n),
      (positions, gap, oldestRunning) => {
        const visible = new Set(positions);
        const isFinal = (position: number): boolean =>
          visible.has(position) ||
          (gap !== null && oldestRunning > gap.holdersBelow && position < gap.upTo);
        const mayDeliver = positions.filter((position) => {
          for (let before = 1; before < position; before += 1) if (!isFinal(before)) return false;
          return true;
        });
        const { deliver, isBlocked } = pickReadable(0, positions, { gap, oldestRunning });
        expect(positions.slice(0, deliver)).toEqual(mayDeliver);
        expect(isBlocked).toBe(deliver < positions.length);
      },
    ),
  );
});

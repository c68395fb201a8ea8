import fc from "fast-check";
import { expect, test } from "vitest";
import { batchesOf, holdsMinutes, intervalPartsOf } from "./interval-parts.rules.ts";

const SECOND = 1_000_000;
const MINUTE = 60 * SECOND;

test("an interval is cut where minutes begin and end, and around now", () => {
  const pieces = intervalPartsOf(3 * SECOND, 5 * MINUTE + SECOND, 2 * MINUTE + 7 * SECOND);
  expect(pieces.map((piece) => [piece.kind, piece.from / SECOND, piece.until / SECOND])).toEqual([
    ["mixed", 3, 60],
    ["past", 60, 120],
    ["mixed", 120, 180],
    ["future", 180, 300],
    ["mixed", 300, 301],
  ]);
});

test("the pieces of any interval follow each other without a gap, and those that are tallied are whole minutes", () => {
  const time = fc.integer({ min: 0, max: 200 * MINUTE });
  fc.assert(
    fc.property(time, fc.integer({ min: 1, max: 20 * MINUTE }), time, (from, length, now) => {
      const pieces = intervalPartsOf(from, from + length, now);
      expect(pieces[0]?.from).toBe(from);
      expect(pieces.at(-1)?.until).toBe(from + length);
      pieces.slice(1).forEach((piece, n) => expect(piece.from).toBe(pieces[n]?.until));
      for (const piece of pieces.filter(({ kind }) => kind !== "mixed")) {
        expect([piece.from % MINUTE, piece.until % MINUTE]).toEqual([0, 0]);
        if (piece.kind === "past") expect(piece.until).toBeLessThanOrEqual(now);
        else expect(piece.from).toBeGreaterThan(now);
      }
    }),
  );
});

test("the pieces of all intervals come in batches, of whole intervals and as many as are read at once", () => {
  const DAY = 24 * 60 * MINUTE;
  const day = { start: 7 * SECOND, length: DAY / 20, count: 20 };
  const sizes = (intervals: typeof day) =>
    [...batchesOf(intervals, 0)].map(
      (batch) => new Set(batch.map(({ interval }) => interval)).size,
    );
  expect(sizes(day)).toEqual([8, 8, 4]);
  expect(sizes({ ...day, length: 30 * DAY, count: 3 })).toEqual([1, 1, 1]);
  expect(sizes({ ...day, length: 2 * MINUTE, count: 30 })).toEqual([17, 13]);
  const all = [...batchesOf(day, DAY / 2)].flat();
  const one = (n: number) =>
    intervalPartsOf(day.start + n * day.length, day.start + (n + 1) * day.length, DAY / 2);
  expect(all).toEqual(
    Array.from({ length: 20 }, (_, n) => one(n).map((piece) => ({ ...piece, interval: n }))).flat(),
  );
});

test("an interval is long enough when a whole minute lies in it wherever it begins", () => {
  const holds = (seconds: number) => holdsMinutes({ start: 0, length: seconds * SECOND, count: 1 });
  expect([1, 60, 119, 120, 3600].map(holds)).toEqual([false, false, false, true, true]);
});

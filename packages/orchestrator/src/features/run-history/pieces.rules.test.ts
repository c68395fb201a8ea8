import fc from "fast-check";
import { expect, test } from "vitest";
import { holdsMinutes, piecesOf } from "./pieces.rules.ts";

const SECOND = 1_000_000;
const MINUTE = 60 * SECOND;

test("an interval is cut where minutes begin and end, and around now", () => {
  const pieces = piecesOf(3 * SECOND, 5 * MINUTE + SECOND, 2 * MINUTE + 7 * SECOND);
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
      const pieces = piecesOf(from, from + length, now);
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

test("an interval is long enough when a whole minute lies in it wherever it begins", () => {
  const holds = (seconds: number) => holdsMinutes({ start: 0, length: seconds * SECOND, count: 1 });
  expect([1, 60, 119, 120, 3600].map(holds)).toEqual([false, false, false, true, true]);
});

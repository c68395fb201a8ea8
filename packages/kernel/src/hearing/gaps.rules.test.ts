import { describe, expect, test } from "vitest";
import {
  arrangeGaps,
  heardBetween,
  heardFrom,
  LONGEST_SILENCE_MICROS,
  markAt,
} from "./gaps.rules.ts";

const SECOND = 1_000_000;
const known = { heard: 1000 * SECOND, since: 10 * SECOND };

describe("a mark", () => {
  test("goes on from the last one", () => {
    const now = known.heard + LONGEST_SILENCE_MICROS;
    expect(markAt(known, now, false)).toEqual({ heard: now, since: known.since, gap: null });
  });

  test("finds the gap since the last one, and begins anew behind it", () => {
    const now = known.heard + LONGEST_SILENCE_MICROS + 1;
    const gap = { began: known.heard, ended: now };
    expect(markAt(known, now, false)).toEqual({ heard: now, since: now, gap });
  });

  test("changes nothing from a replica whose clock is behind", () => {
    const now = known.heard - 5 * SECOND;
    expect(markAt(known, now, false)).toEqual({ ...known, gap: null });
    expect(markAt(known, now, true)).toEqual({ ...known, gap: null });
  });

  test("follows a clock that was set back", () => {
    const now = 5 * SECOND;
    expect(markAt(known, now, true)).toEqual({ heard: now, since: now, gap: null });
  });
});

const gaps = [
  { began: 100, ended: 200 },
  { began: 500, ended: 800 },
];

test("gaps are put in order, and those that overlap are one", () => {
  const found = [
    { began: 500, ended: 700 },
    { began: 100, ended: 200 },
    { began: 600, ended: 800 },
    { began: 550, ended: 560 },
  ];
  expect(arrangeGaps(found)).toEqual(gaps);
});

test.each([
  [0, 100, 100],
  [0, 1000, 600],
  [150, 600, 300],
  [150, 180, 0],
  [800, 900, 100],
  [900, 800, 0],
])("from %i until %i the server heard for %i", (from, until, heard) => {
  expect(heardBetween(gaps, { from, until })).toBe(heard);
});

test.each([
  [1000, 200, 800],
  [1000, 250, 450],
  [1000, 650, -50],
  [600, 0, 500],
  [600, 50, 450],
])("until %i the server heard for %i from %i on", (until, micros, from) => {
  expect(heardFrom(gaps, { until, micros })).toBe(from);
  expect(heardBetween(gaps, { from, until })).toBe(micros);
});

import { parseMicros } from "@orchestrator/kernel";
import { expect, test } from "vitest";
import { splitStretches } from "./stretches.rules.ts";

const MINUTE = 60 * 1_000_000;
const intervals = (start: string, minutes: number, count: number) => ({
  start: parseMicros(start),
  length: minutes * MINUTE,
  count,
});

test("a stretch is split where an interval begins within it, and by now", () => {
  const now = parseMicros("2026-01-01T12:34:56.000000Z");
  const split = splitStretches(intervals("2026-01-01T10:50:00.000000Z", 65, 2), now);
  expect(split.bounds).toEqual([
    "2026-01-01T10:50:00.000000Z",
    "2026-01-01T11:55:00.000000Z",
    "2026-01-01T13:00:00.000000Z",
  ]);
  expect(split.minutes).toEqual(["2026-01-01T12:34"]);
  expect(split.tenMinutes).toEqual(["2026-01-01T11:5", "2026-01-01T12:3"]);
  expect(split.hours).toEqual(["2026-01-01T10", "2026-01-01T11", "2026-01-01T12"]);
});

test("now splits nothing where it is in none of the intervals, and a stretch is named once", () => {
  const now = parseMicros("2026-01-01T12:34:56.000000Z");
  const split = splitStretches(intervals("2026-01-01T10:00:01.000000Z", 3, 3), now);
  expect(split.minutes).toEqual([0, 3, 6, 9].map((minute) => `2026-01-01T10:0${minute}`));
  expect(split.tenMinutes).toEqual(["2026-01-01T10:0"]);
  expect(split.hours).toEqual(["2026-01-01T10"]);
});

test("intervals end with the last moment that can be written down", () => {
  const split = splitStretches(intervals("9999-12-31T23:00:00.000000Z", 60, 3), 0);
  expect(split.bounds.at(-1)).toBe("9999-12-31T23:59:59.000000Z");
});

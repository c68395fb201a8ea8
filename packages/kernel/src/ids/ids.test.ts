import fc from "fast-check";
import { expect, test } from "vitest";
import { systemClock } from "../clock/clock.ts";
import { manualClock } from "../testing/manual-clock.ts";
import { systemIds } from "./ids.ts";

const VERSION_4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const VERSION_7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

const make = (count: number, make: () => string): string[] => Array.from({ length: count }, make);
const timeOf = (id: string): number => Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16);

test("makes identifiers of both kinds with the version and variant of their kind", () => {
  const { uuid4, uuid7 } = systemIds(systemClock);
  for (const id of make(1000, uuid4)) expect(id).toMatch(VERSION_4);
  for (const id of make(1000, uuid7)) expect(id).toMatch(VERSION_7);
});

test("makes none twice within a millisecond, and each greater than the one before", () => {
  const { uuid7 } = systemIds(manualClock());
  const ids = make(20_000, uuid7);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.toSorted()).toEqual(ids);
});

test("keeps makers apart that work in the same millisecond", () => {
  const clock = manualClock();
  const ids = make(50, () => systemIds(clock).uuid7());
  expect(new Set(ids).size).toBe(ids.length);
});

test("writes the time in milliseconds into the identifier", () => {
  const clock = manualClock("2026-11-14T09:00:00.123Z");
  expect(timeOf(systemIds(clock).uuid7())).toBe(Date.parse("2026-11-14T09:00:00.123Z"));
});

test("sorts by the time they were made, also when the clock stands still or goes back", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -5, max: 20 }), { maxLength: 200 }), (steps) => {
      const clock = manualClock();
      const { uuid7 } = systemIds(clock);
      const ids = steps.map((ms) => {
        clock.advanceMs(ms);
        return uuid7();
      });
      expect(ids.toSorted()).toEqual(ids);
    }),
  );
});

test("runs ahead of the clock only as far as one millisecond cannot hold its identifiers", () => {
  const clock = manualClock();
  const { uuid7 } = systemIds(clock);
  const last = make(10_000, uuid7).at(-1) ?? "";
  expect(timeOf(last) - clock.nowMicros() / 1000).toBeLessThanOrEqual(3);
});

test("gives the random parts no pattern that repeats", () => {
  const { uuid7 } = systemIds(manualClock());
  const tails = make(5000, uuid7).map((id) => id.slice(19));
  expect(new Set(tails).size).toBe(tails.length);
});

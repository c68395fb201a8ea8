import { describe, expect, test } from "vitest";
import type { ConcurrencyLimitRow } from "../db/tables/concurrency-limits.table.ts";
import {
  averageOccupancy,
  decayedAt,
  decayingAfterLease,
  deniedSlots,
  fractionOf,
  retryAfterSeconds,
} from "./occupancy.rules.ts";

const at = (seconds: string): string => `2026-01-01T00:00:${seconds}Z`;
const START = at("00.000000");

const limit = (fields: Partial<ConcurrencyLimitRow> = {}): ConcurrencyLimitRow => ({
  id: "0b0e7ee2-8a3c-4fd3-9f0e-3f0a7d3a1c55",
  created: START,
  updated: START,
  name: "database",
  key: null,
  slot_limit: 10,
  active: true,
  slot_decay_per_second: 0,
  decaying_slots: 0,
  decaying_since: START,
  denied_slots: 0,
  denied_since: START,
  avg_slot_occupancy_seconds: 2,
  ...fields,
});

describe("slots that decay", () => {
  test.each([
    ["before one is gone nothing changes", 1, "00.900000", { slots: 5, since: START }],
    ["they go one by one", 1, "02.000000", { slots: 3, since: at("02.000000") }],
    ["a started second is not lost", 1, "02.700000", { slots: 3, since: at("02.000000") }],
    ["slower than one a second", 0.5, "03.000000", { slots: 4, since: at("02.000000") }],
    ["faster than one a second", 4, "00.600000", { slots: 3, since: at("00.500000") }],
    ["there are never fewer than none", 10, "59.000000", { slots: 0, since: at("59.000000") }],
  ])("%s", (_case, perSecond, now, expected) => {
    expect(decayedAt(at(now), { slots: 5, since: START }, perSecond)).toEqual(expected);
  });

  test("do not come back when the clock is set back", () => {
    expect(decayedAt(START, { slots: 3, since: at("10.000000") }, 1)).toEqual({
      slots: 3,
      since: at("10.000000"),
    });
  });

  test("go at the same pace however often one looks", () => {
    let state = { slots: 7, since: START };
    for (const now of ["00.400000", "00.800000", "01.200000", "01.600000", "02.100000"])
      state = decayedAt(at(now), state, 1.5);
    expect(state.slots).toBe(decayedAt(at("02.100000"), { slots: 7, since: START }, 1.5).slots);
  });

  test("come back with their lease only as far as they cannot have decayed", () => {
    const rate = limit({ slot_decay_per_second: 1, decaying_slots: 8 });
    const now = at("02.500000");
    expect(decayingAfterLease(rate, { slots: 3, heldSeconds: 2.5, now }).slots).toBe(5);
    expect(decayingAfterLease(rate, { slots: 3, heldSeconds: 60, now }).slots).toBe(6);
  });
});

test("the average occupancy moves the less, the more slots there are", () => {
  expect(averageOccupancy(limit({ slot_limit: 1 }), { slots: 1, heldSeconds: 10 })).toBe(6);
  expect(averageOccupancy(limit({ slot_limit: 2 }), { slots: 2, heldSeconds: 20 })).toBe(4);
  expect(averageOccupancy(limit({ slot_limit: 0 }), { slots: 1, heldSeconds: 2 })).toBe(2);
});

test("denied slots are forgotten at the pace at which slots become free", () => {
  const now = at("06.000000");
  expect(deniedSlots(limit({ denied_slots: 5 }), now).slots).toBe(2);
  expect(deniedSlots(limit({ denied_slots: 5, slot_decay_per_second: 0.5 }), now).slots).toBe(2);
});

describe("the time to ask again", () => {
  const middle = 0.25 / 0.55;
  const wait = (fields: Partial<ConcurrencyLimitRow>, { slots = 1, denied = 0 } = {}): number =>
    retryAfterSeconds([{ limit: limit(fields), denied }], { slots, random: middle });

  test.each([
    ["grows with what is asked for", { slot_limit: 10 }, { slots: 5 }, 1],
    ["grows with the queue", { slot_limit: 10 }, { slots: 5, denied: 10 }, 3],
    ["is bounded", { slot_limit: 1 }, { denied: 1000 }, 30],
    ["is bounded lower for tags", { slot_limit: 1, name: "tag:x" }, { denied: 1000 }, 10],
    ["is never nothing", { slot_limit: 1, avg_slot_occupancy_seconds: 0 }, {}, 0.1],
    ["follows the decay", { slot_decay_per_second: 0.5 }, { slots: 2, denied: 1 }, 6],
  ])("%s", (_case, fields, asked, expected) => {
    expect(wait(fields, asked)).toBeCloseTo(expected, 3);
  });

  test("is that of the limit with the longest queue", () => {
    const full = [
      { limit: limit({ slot_limit: 100 }), denied: 9 },
      { limit: limit({ slot_limit: 1 }), denied: 4 },
    ];
    expect(retryAfterSeconds(full, { slots: 1, random: middle })).toBeCloseTo(10, 3);
  });

  test("is spread around the average", () => {
    const full = [{ limit: limit({ slot_limit: 1 }), denied: 0 }];
    expect(retryAfterSeconds(full, { slots: 1, random: 0 })).toBe(1.5);
    expect(retryAfterSeconds(full, { slots: 1, random: 1 })).toBe(2.6);
  });

  test("takes its randomness from an id", () => {
    expect(fractionOf("00000000-0000-4000-8000-000000000000")).toBe(0);
    expect(fractionOf("80000000-0000-4000-8000-000000000000")).toBe(0.5);
  });
});

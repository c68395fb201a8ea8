import { parseMicros } from "@orchestrator/kernel/pure";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  backOffUntil,
  isOverdue,
  nextDue,
  phaseOf,
  type Timing,
  validUntil,
} from "./due-times.rules.ts";

const SECOND = 1_000_000;
const MINUTE = 60 * SECOND;
const NOW = parseMicros("2026-11-15T09:00:00.000000Z");

const everyMinute: Timing = {
  id: "0192d3a0-0000-7000-8000-000000000001",
  interval: 60,
  schedule: null,
  timezone: "UTC",
};
const cron = (schedule: string, timezone = "UTC"): Timing => ({
  ...everyMinute,
  schedule,
  timezone,
});

const timings = fc.record({
  id: fc.uuid(),
  interval: fc.integer({ min: 1, max: 2_678_400 }),
  schedule: fc.constant(null),
  timezone: fc.constant("UTC"),
});

test("the times of a monitor are exactly one interval apart, whenever they are asked for", () => {
  fc.assert(
    fc.property(
      timings,
      fc.integer({ min: 0, max: 10 ** 15 }),
      fc.nat(10 ** 12),
      (timing, from, late) => {
        const first = nextDue(timing, NOW + from) ?? 0;
        const second = nextDue(timing, first) ?? 0;
        expect(second - first).toBe(timing.interval * SECOND);
        expect(first).toBeGreaterThan(NOW + from);
        expect(first - (NOW + from)).toBeLessThanOrEqual(timing.interval * SECOND);
        const later = nextDue(timing, first + late) ?? 0;
        expect((later - first) % (timing.interval * SECOND)).toBe(0);
      },
    ),
  );
});

test("monitors that are made together are spread over their interval", () => {
  const tenths = new Array<number>(10).fill(0);
  for (let i = 0; i < 10_000; i += 1) {
    const id = `0192d3a0-0000-7000-8000-${i.toString(16).padStart(12, "0")}`;
    const tenth = Math.floor(phaseOf(id) * 10);
    tenths[tenth] = (tenths[tenth] ?? 0) + 1;
  }
  for (const count of tenths) expect(Math.abs(count - 1000)).toBeLessThan(150);
});

test("a schedule takes the place of the interval, in its time zone", () => {
  const due = nextDue(cron("30 10 * * *", "Europe/Berlin"), NOW);
  expect(due).toBe(parseMicros("2026-11-15T09:30:00.000000Z"));
});

test("six fields have the seconds first", () => {
  expect(nextDue(cron("15 * * * * *"), NOW)).toBe(NOW + 15 * SECOND);
});

test("an hour that does not exist runs once after the gap", () => {
  const nightly = cron("30 2 * * *", "Europe/Berlin");
  const first = nextDue(nightly, parseMicros("2026-03-28T12:00:00.000000Z")) ?? 0;
  const second = nextDue(nightly, first) ?? 0;
  expect(first).toBeGreaterThanOrEqual(parseMicros("2026-03-29T01:00:00.000000Z"));
  expect(second).toBe(parseMicros("2026-03-30T00:30:00.000000Z"));
});

test("a monitor that was checked in time is not overdue", () => {
  expect(isOverdue(everyMinute, { now: NOW, lastCheck: NOW - 1, createdAt: 0 })).toBe(false);
});

test("one that has missed a time, or was never checked, is overdue", () => {
  const rarely = { ...everyMinute, interval: 86_400 };
  for (const lastCheck of [null, NOW - 3 * 86_400 * SECOND])
    expect(isOverdue(rarely, { now: NOW, lastCheck, createdAt: NOW - 5 * SECOND })).toBe(true);
});

test("a new monitor with a schedule waits for it", () => {
  const past = { now: NOW, lastCheck: null, createdAt: NOW - SECOND };
  expect(isOverdue(cron("0 12 * * *"), past)).toBe(false);
});

test.each([
  { interval: 10, minutes: 5 / 6 },
  { interval: 60, minutes: 5 },
  { interval: 600, minutes: 15 },
])(
  "credentials that were refused are not tried for $minutes minutes at $interval s",
  ({ interval, minutes }) => {
    const until = backOffUntil({ ...everyMinute, interval }, NOW);
    expect(until - NOW).toBeGreaterThanOrEqual(minutes * MINUTE);
    expect(until - NOW).toBeLessThanOrEqual(Math.max(minutes * MINUTE, interval * SECOND));
  },
);

test("a status holds until the next result is overdue", () => {
  const until = validUntil({ ...everyMinute, interval: 3600 }, NOW);
  expect(until - NOW).toBeGreaterThan(60 * MINUTE);
  expect(until - NOW).toBeLessThanOrEqual(120 * MINUTE);
});

test("no status holds for longer than 62 days, also where the target is left alone until a time beyond them", () => {
  const yearly = { ...everyMinute, schedule: "0 0 1 1 *" };
  const mostly = parseMicros("2027-01-16T09:00:00.000000Z");
  expect(validUntil(yearly, NOW)).toBe(mostly);
  expect(validUntil(yearly, NOW, backOffUntil(yearly, NOW) - 1)).toBe(mostly);
});

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { rounds } from "../../../tests/support/rounds.ts";
import { type Interval, intervalOccurrences } from "./interval.ts";
import { LATER_THEN_FIRST, readZone, toUtc, toWall } from "./zone.ts";

function at(utc: string): number {
  return Date.parse(`${utc}Z`) * 1000;
}

const SECOND = 1_000_000;
const HOUR = 3600 * SECOND;
const DAY = 24 * HOUR;
const UNTIL = at("2200-01-01T00:00:00");
const ZONES = ["UTC", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "Pacific/Apia"];

/** Walks from the anchor to the window, one interval at a time. */
function walk(
  { intervalMicros, anchorMicros }: Interval,
  timezone: string,
  from: number,
  limit: number,
): number[] {
  const zone = readZone(timezone);
  const days = Math.floor(intervalMicros / DAY);
  const rest = intervalMicros % DAY;
  const direction = from < anchorMicros ? -1 : 1;
  const position = (k: number) =>
    k === 0
      ? anchorMicros
      : toUtc(toWall(anchorMicros, zone) + k * days * DAY, zone, LATER_THEN_FIRST) + k * rest;
  let k = 0;
  while (direction > 0 ? position(k) < from : position(k - 1) >= from) k += direction;
  const found = new Set<number>();
  while (found.size < limit) found.add(position(k++));
  return [...found];
}

describe("an interval", () => {
  test("occurs where a walk from its anchor leads", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...ZONES),
        fc.oneof(
          fc.integer({ min: HOUR / 2, max: 9 * DAY }),
          fc.constantFrom(HOUR, DAY, 2 * DAY, 7 * DAY, DAY + 1, 2 * DAY - 1),
        ),
        fc.integer({ min: at("2010-06-01T00:00:00"), max: at("2012-06-01T00:00:00") }),
        fc.integer({ min: -400 * DAY, max: 400 * DAY }),
        (timezone, intervalMicros, anchorMicros, distance) => {
          const interval = { intervalMicros, anchorMicros };
          const from = anchorMicros + distance;
          expect(
            intervalOccurrences(interval, readZone(timezone), { from, until: UNTIL, limit: 10 }),
          ).toEqual(walk(interval, timezone, from, 10));
        },
      ),
      { numRuns: rounds(40, 200) },
    );
  });

  test.each([DAY, HOUR, 1, 17 * SECOND, 36 * HOUR])(
    "of %i microseconds costs nothing however far its anchor",
    (intervalMicros) => {
      const zone = readZone("America/New_York");
      for (const anchorMicros of [at("1700-01-01T00:00:00"), at("2199-01-01T00:00:00")])
        for (let i = 0; i < 500; i++) {
          const from = at("2026-01-01T00:00:00") + i * 1_234_567;
          const [first = 0] = intervalOccurrences({ intervalMicros, anchorMicros }, zone, {
            from,
            until: UNTIL,
            limit: 1,
          });
          expect(first).toBeGreaterThanOrEqual(from);
          expect(first - from).toBeLessThan(intervalMicros + HOUR);
        }
    },
  );

  test("of days stays on the clock and of hours on the sun when both are there", () => {
    const zone = readZone("America/New_York");
    // A day and an hour from 09:00 on the eve of the change: 10:00 the next day on the wall, then
    // 11:00.
    const interval = { intervalMicros: DAY + HOUR, anchorMicros: at("2018-03-10T14:00:00") };
    const found = intervalOccurrences(interval, zone, {
      from: at("2018-03-10T14:00:00"),
      until: UNTIL,
      limit: 3,
    });
    expect(found.map((micros) => new Date(micros / 1000).toISOString())).toEqual([
      "2018-03-10T14:00:00.000Z",
      "2018-03-11T14:00:00.000Z",
      "2018-03-12T15:00:00.000Z",
    ]);
  });

  test("occurs before its anchor as well", () => {
    const interval = { intervalMicros: HOUR, anchorMicros: at("2026-01-01T00:30:00") };
    expect(
      intervalOccurrences(interval, readZone("UTC"), {
        from: at("2025-12-31T22:00:00"),
        until: UNTIL,
        limit: 1,
      }),
    ).toEqual([at("2025-12-31T22:30:00")]);
  });
});

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { addEventTime, countEventTimesWithin, type EventTimes } from "./event-times.rules.ts";

const SECOND = 1_000_000;
const seconds = (...times: readonly number[]): number[] => times.map((time) => time * SECOND);

function holdAll(
  times: readonly number[],
  given: { threshold: number; within: number },
): EventTimes {
  return times.reduce<EventTimes>((held, time) => addEventTime(held, time, given), []);
}

describe("what is held", () => {
  test.each([
    ["stands in order", seconds(3, 1, 2), { within: 3600 }, seconds(1, 2, 3)],
    ["goes when half an hour newer is held", seconds(0, 1, 1801), { within: 10 }, seconds(1, 1801)],
    [
      "stays as long as a window may reach back to it",
      seconds(0, 3600),
      { within: 3600 },
      seconds(0, 3600),
    ],
    ["goes where others do for it", seconds(0, 1, 2), { within: 10, threshold: 1 }, seconds(0, 2)],
  ])("%s", (_what, times, given, held) => {
    expect(holdAll(times, { threshold: 3, ...given })).toEqual(held);
  });

  test("is never more than 500, however many come", () => {
    const times = Array.from({ length: 700 }, (_, index) => index * SECOND);
    expect(holdAll(times, { threshold: 1000, within: 3600 })).toEqual(times.slice(200));
  });

  test("is enough for every window", () => {
    const some = fc.array(fc.integer({ min: 0, max: 200 }), { maxLength: 60 });
    const of = fc.record({
      threshold: fc.integer({ min: 1, max: 4 }),
      within: fc.integer({ min: 10, max: 60 }),
    });
    fc.assert(
      fc.property(some, of, fc.integer({ min: -10, max: 200 }), (given, trigger, from) => {
        const times = seconds(...given);
        const window = { starts: from * SECOND, ends: (from + trigger.within) * SECOND };
        const enough = (held: EventTimes): number =>
          Math.min(trigger.threshold, countEventTimesWithin(held, window));
        expect(enough(holdAll(times, trigger))).toBe(enough(times));
      }),
    );
  });
});

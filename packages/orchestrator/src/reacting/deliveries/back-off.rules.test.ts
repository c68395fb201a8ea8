import { describe, expect, test } from "vitest";
import { MAX_ATTEMPTS, nextAttemptMicros } from "./back-off.rules.ts";

const SECOND = 1_000_000;
const first = {
  nowMicros: 0,
  attempts: 1,
  giveUpMicros: 86_400 * SECOND,
  retryAfterMicros: null,
  random: 1,
};

describe("a message that was not taken", () => {
  test("waits twice as long each time, up to half an hour", () => {
    const waits = [1, 2, 3, 8, 9, 30].map((attempts) => nextAttemptMicros({ ...first, attempts }));
    expect(waits).toEqual([10, 20, 40, 1280, 1800, 1800].map((seconds) => seconds * SECOND));
  });

  test("waits for something between half of that and all of it", () => {
    expect(nextAttemptMicros({ ...first, random: 0 })).toBe(5 * SECOND);
    expect(nextAttemptMicros({ ...first, random: 0.5 })).toBe(7.5 * SECOND);
  });

  test("waits for as long as the other side asks, and a little longer", () => {
    const asked = { ...first, retryAfterMicros: 3600 * SECOND };
    expect(nextAttemptMicros({ ...asked, random: 0 })).toBe(3600 * SECOND);
    expect(nextAttemptMicros({ ...asked, random: 0.5 })).toBe(3605 * SECOND);
    expect(nextAttemptMicros({ ...first, retryAfterMicros: 0, random: 0 })).toBe(5 * SECOND);
  });

  test("is given up when its time or its attempts are used up", () => {
    expect(nextAttemptMicros({ ...first, attempts: MAX_ATTEMPTS })).toBeNull();
    expect(nextAttemptMicros({ ...first, giveUpMicros: 10 * SECOND - 1 })).toBeNull();
    expect(nextAttemptMicros({ ...first, giveUpMicros: 10 * SECOND })).toBe(10 * SECOND);
    const longer = { ...first, retryAfterMicros: 90_000 * SECOND };
    expect(nextAttemptMicros(longer)).toBeNull();
  });
});

import { expect, test } from "vitest";
import { momentOf, toTheSecond } from "./time.ts";

test("a moment of today is told by the clock alone, one of another day with the day", () => {
  const now = Date.now();
  expect(toTheSecond(now)).toContain(momentOf(now));
  expect(momentOf(now)).not.toBe(toTheSecond(now));
  const longAgo = now - 3 * 86_400_000;
  expect(momentOf(longAgo)).toBe(toTheSecond(longAgo));
});

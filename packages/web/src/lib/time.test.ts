import { expect, test } from "vitest";
import { shortTimeLabel, timeLabel } from "./time.ts";

test("a moment of today is told by the clock alone, one of another day with the day", () => {
  const now = Date.now();
  expect(timeLabel(now)).toContain(shortTimeLabel(now));
  expect(shortTimeLabel(now)).not.toBe(timeLabel(now));
  const longAgo = now - 3 * 86_400_000;
  expect(shortTimeLabel(longAgo)).toBe(timeLabel(longAgo));
});

import { expect, test } from "vitest";
import { formatDuration, formatExactDuration } from "./time.ts";

test.each([
  [0.25, "250ms", "250ms"],
  [7.25, "7.3s", "7.25s"],
  [60, "1m", "1m"],
  [5400, "1h 30m", "1h 30m"],
  [90_061.5, "1d 1h", "1d 1h 1m 1.5s"],
  [86_459.999999, "1d 1m", "1d 59.999999s"],
])("%d seconds are said shortly and exactly", (seconds, shortly, exactly) => {
  expect(formatDuration(seconds)).toBe(shortly);
  expect(formatExactDuration(seconds)).toBe(exactly);
});

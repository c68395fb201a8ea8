import { expect, test } from "vitest";
import {
  durationText,
  latencyText,
  mailTime,
  rangeText,
  uptimePercentText,
} from "./page-text.rules.ts";

test.each([
  [100, "100 %"],
  [99.999999, "99.99 %"],
  [99.9, "99.90 %"],
  [99.29, "99.29 %"],
  [0, "0 %"],
])("a share of %d is written as %s, never rounded up", (percent, text) => {
  expect(uptimePercentText(percent)).toBe(text);
});

test.each([
  [0.2, "less than a second"],
  [59.7, "1 min"],
  [61, "1 min 1 s"],
  [3600, "1 h"],
  [7500, "2 h 5 min"],
  [90_061, "1 d 1 h"],
])("%d seconds are written as %s", (seconds, text) => {
  expect(durationText(seconds)).toBe(text);
});

test("times say what they need to, in UTC", () => {
  const from = "2026-11-14T09:05:00.000000Z";
  expect(rangeText(from, "2026-11-14T10:00:59.000000Z")).toBe("14 Nov 2026, 09:05 to 10:00 UTC");
  expect(rangeText(from, from)).toBe("14 Nov 2026, 09:05 UTC");
  expect(rangeText(from, "2026-11-15T00:00:00.000000Z")).toBe(
    "14 Nov 2026, 09:05 UTC to 15 Nov 2026, 00:00 UTC",
  );
  expect(mailTime("2026-01-04T09:05:07.123456Z")).toBe("Sun, 04 Jan 2026 09:05:07 +0000");
});

test("latencies are in the unit that fits", () => {
  expect(latencyText(12.5)).toBe("13 ms");
  expect(latencyText(1549)).toBe("1.5 s");
});

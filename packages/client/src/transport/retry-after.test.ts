import { expect, test } from "vitest";
import { parseRetryAfterMs } from "./retry-after.ts";

const NOW = Date.parse("2026-11-15T12:00:00Z");

test.each([
  [null, null],
  ["", null],
  ["soon", null],
  ["0", 0],
  ["120", 120_000],
  ["1.801", 1801],
  ["-1", null],
  ["Sun, 15 Nov 2026 12:00:30 GMT", 30_000],
  ["Sun, 15 Nov 2026 11:00:00 GMT", 0],
])("reads a Retry-After of %j as %j ms", (header, ms) => {
  expect(parseRetryAfterMs(header, NOW)).toBe(ms);
});

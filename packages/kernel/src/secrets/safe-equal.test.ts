import { expect, test } from "vitest";
import { safeEqual } from "./safe-equal.ts";

test.each([
  ["", "", true],
  ["secret", "secret", true],
  ["secret", "secreT", false],
  ["secret", "secrets", false],
  ["", "x", false],
  ["é", "e\u0301", false],
])("%j and %j compare as %s", (a, b, isSame) => {
  expect(safeEqual(a, b)).toBe(isSame);
});

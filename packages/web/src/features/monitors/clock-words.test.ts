import { expect, test } from "vitest";
import { skewOf, targetTimeText } from "./clock-words.ts";

const SEEN = Date.parse("2026-11-15T09:00:00Z");

test("a time without a zone stands as the target wrote it", () => {
  expect(targetTimeText("2026-09-01T21:36:21.000")).toBe("2026-09-01 21:36:21");
  expect(targetTimeText("yesterday")).toBe("yesterday");
  expect(skewOf("2026-09-01T21:36:21.000", SEEN)).toBe("");
});

test("a time with a zone is said in that of the viewer", () => {
  const inBerlin = targetTimeText("2026-11-15T10:00:00.000+0100");
  expect(inBerlin).toBe(targetTimeText("2026-11-15T09:00:00Z"));
  expect(inBerlin).not.toContain("T");
});

test.each([
  ["2026-11-15T09:00:02.000+0000", ", in step with this server"],
  ["2026-11-15T09:01:30Z", ", 1m 30s ahead of this server"],
  ["2026-11-15T09:30:00+0100", ", 30m behind this server"],
])("the clock that says %s is%s", (time, words) => {
  expect(skewOf(time, SEEN)).toBe(words);
});

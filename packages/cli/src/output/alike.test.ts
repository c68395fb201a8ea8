import { expect, test } from "vitest";
import { suggestion } from "./alike.ts";

test("names that are nearly what was written are suggested, the nearest first", () => {
  expect(suggestion("nightli", ["weekly", "nightly"])).toBe(" Did you mean nightly?");
  expect(suggestion("dya", ["day", "dry"])).toContain("Did you mean day");
  expect(suggestion("etl/nigthly", ["etl/nightly", "etl/nightly2"])).toBe(
    " Did you mean etl/nightly or etl/nightly2?",
  );
});

test("a part of a name is enough, but no few letters", () => {
  expect(suggestion("report", ["monthly-report"])).toBe(" Did you mean monthly-report?");
  expect(suggestion("x", ["production"])).toBe("");
});

test("nothing is suggested where nothing is like it", () => {
  expect(suggestion("nam", ["fail", "count"])).toBe("");
  expect(suggestion("anything", [])).toBe("");
});

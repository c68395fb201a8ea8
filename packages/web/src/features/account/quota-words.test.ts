import { expect, test } from "vitest";
import { parseQuotas, typedOf, usageText } from "./quota-words.ts";

const SET = {
  runs_per_day: 1000,
  events_per_day: null,
  runs_stored: 0,
  storage_bytes: 2_500_000,
};

test("quotas are typed as numbers, those that are not set as nothing, and come back as they were", () => {
  const typed = typedOf(SET);
  expect(typed).toEqual({
    runs_per_day: "1000",
    events_per_day: "",
    runs_stored: "0",
    storage_bytes: "2.5",
  });
  expect(parseQuotas(typed)).toEqual(SET);
});

test.each(["many", "-1", "1e"])("%j is no quota", (text) => {
  expect(parseQuotas({ ...typedOf(SET), runs_stored: text })).toBeNull();
});

test.each([
  [12_000, 50_000, 1, "12,000 of 50,000"],
  [12_000, null, 1, "12,000"],
  [null, 5, 1, "Not measured yet of 5"],
  [1_240_000, 10_000_000, 1_000_000, "1.2 of 10"],
] as const)("%s of %s by %s is %j", (used, most, unit, words) => {
  expect(usageText(used, most, unit)).toBe(words);
});

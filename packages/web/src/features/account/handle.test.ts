import { expect, test } from "vitest";
import { handleOf } from "./handle.ts";

test.each([
  ["The shop", "the-shop"],
  ["  Café & Bar!  ", "cafe-bar"],
  ["---", ""],
  ["日本", ""],
  ["Team 7", "team-7"],
  [`${"a".repeat(63)} b`, "a".repeat(63)],
])("a handle for %j is %j", (name, handle) => {
  expect(handleOf(name)).toBe(handle);
});

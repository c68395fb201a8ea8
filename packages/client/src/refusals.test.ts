import { DeploymentCreate, VariableCreate, WorkPoolCreate } from "@orchestrator/contract";
import { expect, test } from "vitest";
import { explainPatterns } from "./refusals.ts";

const patternOf = (schema: unknown): string =>
  (schema as { properties: { name: { pattern: string } } }).properties.name.pattern;

test.each([
  [patternOf(VariableCreate), "small letters a to z, digits, _ and -"],
  [patternOf(WorkPoolCreate), "any text without / % & > <"],
  [patternOf(DeploymentCreate), "any text without / % & > <"],
])("a name that does not match %s is told what it may hold", (pattern, words) => {
  const refusal = `String should match pattern '${pattern}'`;
  expect(
    explainPatterns(`body.name: ${refusal}; body.limit: Input should be a valid integer`),
  ).toBe(`body.name: It must be ${words}; body.limit: Input should be a valid integer`);
});

test("a pattern that has no words is told as it is", () => {
  expect(explainPatterns("String should match pattern '^x$'")).toBe(
    "String should match pattern '^x$'",
  );
});

test.each([
  ["body.name: String should have at least 1 character", "body.name: It must not be empty"],
  ["cron: Value error, The minute is wrong", "cron: The minute is wrong"],
])("%s is told as %s", (told, words) => {
  expect(explainPatterns(told)).toBe(words);
});

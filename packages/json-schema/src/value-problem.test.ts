import { expect, test } from "vitest";
import { isWithin, pathText, sentences } from "./value-problem.ts";

test.each([
  [[], "parameters"],
  [["a", 0, "b"], "parameters.a[0].b"],
  [["a b", "c.d", "e-f"], 'parameters["a b"]["c.d"].e-f'],
  [["x".repeat(300)], `parameters["${"x".repeat(100)}"]`],
])("writes the place %j", (path, text) => {
  expect(pathText("parameters", path)).toBe(text);
});

test("writes a problem with its place", () => {
  const problems = [{ path: ["b", 1, "c"], message: "deep" }];
  expect(sentences(problems, "job_variables")).toEqual(["job_variables.b[1].c: deep"]);
});

test("knows what lies within a place", () => {
  expect(isWithin(["a", 0], ["a"])).toBe(true);
  expect(isWithin(["a"], ["a"])).toBe(true);
  expect(isWithin(["a"], [])).toBe(true);
  expect(isWithin(["a"], ["a", 0])).toBe(false);
  expect(isWithin(["ab"], ["a"])).toBe(false);
});

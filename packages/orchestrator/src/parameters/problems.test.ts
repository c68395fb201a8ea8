import { expect, test } from "vitest";
import { errorTree, isWithin, pathText, sentences } from "./problems.ts";

test.each([
  [[], "parameters"],
  [["a", 0, "b"], "parameters.a[0].b"],
  [["a b", "c.d", "e-f"], 'parameters["a b"]["c.d"].e-f'],
  [["x".repeat(300)], `parameters["${"x".repeat(100)}"]`],
])("writes the place %j", (path, text) => {
  expect(pathText("parameters", path)).toBe(text);
});

test("puts problems beside the field they belong to", () => {
  const problems = [
    { path: [], message: "root" },
    { path: ["a"], message: "first" },
    { path: ["b", 1, "c"], message: "deep" },
    { path: ["a"], message: "second" },
    { path: ["b"], message: "list" },
  ];
  expect(errorTree(problems)).toEqual([
    "root",
    { property: "a", errors: ["first", "second"] },
    {
      property: "b",
      errors: ["list", { index: 1, errors: [{ property: "c", errors: ["deep"] }] }],
    },
  ]);
  expect(sentences(problems.slice(2, 3), "job_variables")).toEqual(["job_variables.b[1].c: deep"]);
});

test("knows what lies within a place", () => {
  expect(isWithin(["a", 0], ["a"])).toBe(true);
  expect(isWithin(["a"], ["a"])).toBe(true);
  expect(isWithin(["a"], [])).toBe(true);
  expect(isWithin(["a"], ["a", 0])).toBe(false);
  expect(isWithin(["ab"], ["a"])).toBe(false);
});

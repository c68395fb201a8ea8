import { expect, test } from "vitest";
import { errorTree } from "./error-tree.ts";

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
});

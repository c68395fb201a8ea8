import { expect, test } from "vitest";
import { cutMetadata, resultContent } from "./artifacts.rules.ts";

test("cuts values of more than 500 characters, never through a character", () => {
  expect(
    cutMetadata({
      fits: "x".repeat(500),
      long: "x".repeat(501),
      emoji: `${"x".repeat(499)}🚀 and more`,
    }),
  ).toEqual({
    fits: "x".repeat(500),
    long: `${"x".repeat(500)}...`,
    emoji: `${"x".repeat(499)}...`,
  });
});

const bare = { key: null, type: null, description: null };

test.each([
  [null, { ...bare, data: null }],
  ["text", { ...bare, data: "text" }],
  [[1, { artifact_key: "x" }], { ...bare, data: [1, { artifact_key: "x" }] }],
  [{ a: 1 }, { ...bare, data: { a: 1 } }],
  [
    { a: 1, artifact_key: "report", artifact_type: "markdown", artifact_description: "# Hi" },
    { key: "report", type: "markdown", description: "# Hi", data: { a: 1 } },
  ],
  [
    { artifact_key: "Not A Key", artifact_type: 5, artifact_description: "" },
    { ...bare, data: {} },
  ],
  [{ artifact_type: "x".repeat(256) }, { ...bare, data: {} }],
])("a result %j is kept as %j", (result, expected) => {
  expect(resultContent(result)).toEqual(expected);
});

import { expect, test } from "vitest";
import { trigramsOf } from "./sqlite-letters.ts";

test("a text is looked up by all that stand three in a row in it, and none that is shorter", () => {
  expect(trigramsOf("ab")).toBeNull();
  expect(trigramsOf("😀é")).toBeNull();
  expect(trigramsOf("a😀éa😀é")).toBe('"a😀é" AND "😀éa" AND "éa😀"');
  expect(trigramsOf('a"b')).toBe('"a""b"');
  expect(trigramsOf("abcdefghij".repeat(100))?.split(" AND ")).toHaveLength(10);
});

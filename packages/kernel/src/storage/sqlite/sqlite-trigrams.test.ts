import { expect, test } from "vitest";
import { trigramsOf } from "./sqlite-trigrams.ts";

test("a text is looked up by all that stand three in a row in it, and none that is shorter", () => {
  expect(trigramsOf("ab")).toBeNull();
  expect(trigramsOf("😀é")).toBeNull();
  expect(trigramsOf("a😀本a😀本")).toBe('"a😀本" AND "😀本a" AND "本a😀"');
  expect(trigramsOf('a"b')).toBe('"a""b"');
  expect(trigramsOf("abcdefghij".repeat(100))?.split(" AND ")).toHaveLength(10);
});

test("letters beyond ASCII are looked up in all their cases", () => {
  expect(trigramsOf("Éab")).toBe('("éab" OR "Éab")');
  expect(trigramsOf("οσβ")?.split(" OR ")).toHaveLength(2 * 3 * 3);
});

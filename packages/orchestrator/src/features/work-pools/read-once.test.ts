import { expect, test } from "vitest";
import { readOnce } from "./read-once.ts";

test("a text is read once, and again only after a thousand others", () => {
  const read: string[] = [];
  const readText = readOnce((text) => {
    read.push(text);
    return { text };
  });
  expect(readText("a")).toBe(readText("a"));
  expect(read).toEqual(["a"]);
  for (let n = 0; n < 999; n += 1) readText(`other ${n}`);
  expect(readText("a")).toEqual({ text: "a" });
  expect(read).toHaveLength(1000);
  readText("one more");
  readText("a");
  expect(read.slice(1000)).toEqual(["one more", "a"]);
});

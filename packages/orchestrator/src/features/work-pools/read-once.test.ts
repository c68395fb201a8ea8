import { expect, test } from "vitest";
import { readOnce } from "./read-once.ts";

test("a text is read once, and again only after a thousand others", () => {
  const read: string[] = [];
  const readText = readOnce((text) => {
    read.push(text);
    return { text };
  });
  const others = (count: number): void => {
    for (let n = 0; n < count; n += 1) readText(`other ${n}`);
  };
  expect(readText("a")).toBe(readText("a"));
  others(999);
  expect(readText("a")).toEqual({ text: "a" });
  expect(read.filter((text) => text === "a")).toHaveLength(1);
  others(1000);
  readText("a");
  expect(read.filter((text) => text === "a")).toHaveLength(2);
});

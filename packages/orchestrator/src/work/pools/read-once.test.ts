import { expect, test } from "vitest";
import { readOnce } from "./read-once.ts";

test("a text is read once, and again only after hundreds of others", () => {
  const read: string[] = [];
  const readText = readOnce((text) => {
    read.push(text);
    return { text };
  });
  let count = 0;
  const others = (more: number): void => {
    for (const until = count + more; count < until; count += 1) readText(`other ${count}`);
  };
  expect(readText("a")).toBe(readText("a"));
  others(900);
  readText("a");
  others(500);
  expect(readText("a")).toEqual({ text: "a" });
  expect(read.filter((text) => text === "a")).toHaveLength(1);
  others(1000);
  readText("a");
  expect(read.filter((text) => text === "a")).toHaveLength(2);
});

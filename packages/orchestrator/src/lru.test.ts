import { expect, test } from "vitest";
import { Lru } from "./lru.ts";

test("keeps what was used last", () => {
  const lru = new Lru<number>({ entries: 2, keyCharacters: 100 });
  lru.set("a", 1);
  lru.set("b", 2);
  lru.get("a");
  lru.set("c", 3);
  expect([lru.get("a"), lru.get("b"), lru.get("c"), lru.size]).toEqual([1, undefined, 3, 2]);
});

test("counts the characters of its keys, and a key that is set again once", () => {
  const lru = new Lru<number>({ entries: 10, keyCharacters: 6 });
  lru.set("aaa", 1);
  lru.set("aaa", 2);
  lru.set("bbb", 3);
  expect([lru.get("aaa"), lru.get("bbb")]).toEqual([2, 3]);
  lru.set("c", 4);
  expect([lru.get("aaa"), lru.get("bbb"), lru.get("c")]).toEqual([undefined, 3, 4]);
});

test("keeps one key that is too long alone until another comes", () => {
  const lru = new Lru<number>({ entries: 10, keyCharacters: 2 });
  lru.set("a", 1);
  lru.set("long", 2);
  expect([lru.get("a"), lru.get("long")]).toEqual([undefined, 2]);
  lru.set("b", 3);
  expect([lru.get("long"), lru.get("b")]).toEqual([undefined, 3]);
});

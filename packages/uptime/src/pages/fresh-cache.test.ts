import { manualClock } from "@orchestrator/kernel/testing";
import { expect, test } from "vitest";
import { FreshCache } from "./fresh-cache.ts";

function open(most = 10) {
  const clock = manualClock();
  const cache = new FreshCache<string>({ clock, freshMs: 5000, most });
  const loads: string[] = [];
  const load = (key: string) => async () => {
    const count = loads.push(key);
    await Promise.resolve();
    return `${key}${count}`;
  };
  return { clock, cache, loads, get: (key: string) => cache.get(key, load(key)) };
}

test("a value is worked out once for all who ask, and again when it is too old", async () => {
  const { clock, loads, get } = open();
  expect(await Promise.all([get("a"), get("a"), get("b")])).toEqual(["a1", "a1", "b2"]);
  clock.advanceMs(4999);
  expect(await get("a")).toBe("a1");
  clock.advanceMs(1);
  expect(await get("a")).toBe("a3");
  expect(loads).toEqual(["a", "b", "a"]);
});

test("no more values are kept than there is room for, the oldest go first", async () => {
  const { get } = open(2);
  await get("a");
  await get("b");
  await get("c");
  expect(await get("b")).toBe("b2");
  expect(await get("c")).toBe("c3");
  expect(await get("a")).toBe("a4");
});

test("that there is nothing is not kept, nor is a failure", async () => {
  const { cache } = open();
  expect(await cache.get("a", () => Promise.resolve(null))).toBeNull();
  await expect(cache.get("a", () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(await cache.get("a", () => Promise.resolve("found"))).toBe("found");
});

test("what was being worked out when all was dropped is not kept", async () => {
  const { cache, get } = open();
  let resolve: (value: string) => void = () => {};
  const promise = new Promise<string>((done) => {
    resolve = done;
  });
  const early = cache.get("a", () => promise);
  cache.clear();
  const late = get("a");
  resolve("old");
  expect(await early).toBe("old");
  expect(await late).toBe("a1");
  expect(await get("a")).toBe("a1");
});

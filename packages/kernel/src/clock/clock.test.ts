import { getEventListeners } from "node:events";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { manualClock } from "../testing/manual-clock.ts";
import { sleep, systemClock, yieldingBetweenSteps } from "./clock.ts";
import { parseMicros } from "./timestamp.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
});
afterEach(() => {
  vi.useRealTimers();
});

function isOver(promise: Promise<void>): { readonly done: boolean } {
  const state = { done: false };
  void promise.then(() => {
    state.done = true;
  });
  return state;
}

test("the system clock tells the same moment as a number and as text", () => {
  vi.setSystemTime("2026-11-14T09:00:00.123Z");
  expect(systemClock.now()).toBe("2026-11-14T09:00:00.123000Z");
  expect(systemClock.nowMicros()).toBe(parseMicros(systemClock.now()));
});

test("a manual clock stands still until it is moved", () => {
  const clock = manualClock("2026-01-01T00:00:00Z");
  expect([clock.now(), clock.now()]).toEqual(Array(2).fill("2026-01-01T00:00:00.000000Z"));
  clock.advanceMs(1.5);
  expect(clock.now()).toBe("2026-01-01T00:00:00.001500Z");
  expect(clock.nowMicros()).toBe(parseMicros(clock.now()));
});

test("a sleep lasts as long as it is told to", async () => {
  const slept = isOver(sleep(1000));
  await vi.advanceTimersByTimeAsync(999);
  expect(slept.done).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(slept.done).toBe(true);
});

test("a sleep ends when its signal fires, and leaves no timer", async () => {
  const stop = new AbortController();
  const slept = isOver(sleep(1000, stop.signal));
  stop.abort();
  await vi.advanceTimersByTimeAsync(0);
  expect(slept.done).toBe(true);
  expect(vi.getTimerCount()).toBe(0);
});

test("a sleep does not begin when its signal has fired already", async () => {
  await sleep(1000, AbortSignal.abort());
  expect(vi.getTimerCount()).toBe(0);
});

test("a sleep that ends by itself leaves nothing on its signal", async () => {
  const { signal } = new AbortController();
  const slept = sleep(10, signal);
  expect(getEventListeners(signal, "abort")).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(10);
  await slept;
  expect(getEventListeners(signal, "abort")).toHaveLength(0);
});

test("a sleep of more than a timer can hold does not end at once", async () => {
  const slept = isOver(sleep(2 ** 40));
  await vi.advanceTimersByTimeAsync(24 * 3_600_000);
  expect(slept.done).toBe(false);
});

test("long work that breathes lets others have their turn", async () => {
  const turn = yieldingBetweenSteps();
  let turns = 0;
  const others = setInterval(() => {
    turns += 1;
  }, 1);
  // Never, if they had none.
  while (turns < 2) await turn();
  clearInterval(others);
});

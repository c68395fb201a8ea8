import { expect, test } from "vitest";
import { LoopTurnScheduler } from "./loop-turn-scheduler.ts";

/** Turns whose work takes as long as the test says, and which end when it says so. */
function turnsInHand(sliceMs?: number) {
  let now = 0;
  let end: (() => void) | null = null;
  const turns = new LoopTurnScheduler(
    () => now,
    (work) => {
      end = work;
    },
    sliceMs,
  );
  const done: number[] = [];
  return {
    turns,
    done,
    arrive: (n: number, ms: number) =>
      turns.run(() => {
        now += ms;
        done.push(n);
      }),
    endTurn: (): boolean => {
      const ending = end;
      end = null;
      ending?.();
      return end !== null;
    },
  };
}

test("each turn of the event loop begins as much as there is time for, in the order in which it came", () => {
  const { arrive, endTurn, done } = turnsInHand();
  for (const n of [1, 2, 3, 4, 5, 6, 7]) arrive(n, 4);
  expect(done).toEqual([1, 2, 3]);
  endTurn();
  expect(done).toEqual([1, 2, 3, 4, 5, 6]);
  arrive(8, 0);
  expect(done).not.toContain(8);
  endTurn();
  expect(done).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
});

test("what takes longer than a turn is begun nevertheless", () => {
  const { arrive, endTurn, done } = turnsInHand();
  arrive(1, 500);
  arrive(2, 500);
  expect(done).toEqual([1]);
  endTurn();
  expect(done).toEqual([1, 2]);
});

test("an idle server has no turns", () => {
  const { arrive, endTurn, turns } = turnsInHand();
  arrive(1, 1);
  expect(endTurn()).toBe(false);
  expect(turns.hasTime).toBe(true);
});

test("with a slice of 0, one piece of work starts per turn", () => {
  const { arrive, endTurn, done } = turnsInHand(0);
  for (const n of [1, 2, 3]) arrive(n, 0);
  expect(done).toEqual([1]);
  endTurn();
  expect(done).toEqual([1, 2]);
  endTurn();
  expect(done).toEqual([1, 2, 3]);
});

test("a queue that never drains does not grow with the work it has started", () => {
  const { arrive, endTurn, done, turns } = turnsInHand(0);
  const total = 20_000;
  let largest = 0;
  for (const n of [1, 2, 3]) arrive(n, 0);
  for (let n = 4; n <= total; n += 1) {
    arrive(n, 0);
    endTurn();
    largest = Math.max(largest, turns.size);
  }
  expect(largest).toBeLessThanOrEqual(2048);
  while (endTurn());
  expect(done).toEqual(Array.from({ length: total }, (_, n) => n + 1));
  expect(turns.size).toBe(0);
});

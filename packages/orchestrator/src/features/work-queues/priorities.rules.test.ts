import { expect, test } from "vitest";
import { closeUp, freePriority, makeRoom, moveAside } from "./priorities.rules.ts";

const queues = (...priorities: number[]) =>
  priorities.map((priority) => ({ id: `was ${priority}`, priority }));
const after = (before: readonly { id: string; priority: number }[], moves: typeof before) =>
  before
    .map((queue) => moves.find(({ id }) => id === queue.id) ?? queue)
    .map(({ priority }) => priority);

test.each([
  [[], 1],
  [[1], 2],
  [[1, 2, 4], 3],
  [[2, 3], 1],
])("the first free priority beside %j is %i", (taken, free) => {
  expect(freePriority(queues(...taken))).toBe(free);
});

test.each([
  [[1], 1, [2]],
  [[1, 2, 3], 2, [1, 3, 4]],
  [[1, 5], 3, [1, 5]],
  [[1, 2, 5], 1, [2, 3, 5]],
  [[3, 1, 2], 1, [4, 2, 3]],
])("beside %j a new queue at %i leaves %j", (before, wanted, left) => {
  expect(after(queues(...before), makeRoom(queues(...before), wanted))).toEqual(left);
});

test.each([
  { others: [2, 3], from: 1, to: 3, left: [1, 2] },
  { others: [1, 2, 3], from: 4, to: 2, left: [1, 3, 4] },
  { others: [1, 9], from: 2, to: 5, left: [1, 9] },
  { others: [1, 3], from: 2, to: 2, left: [1, 3] },
])("among $others a move from $from to $to leaves $left", ({ others, from, to, left }) => {
  expect(after(queues(...others), moveAside(queues(...others), from, to))).toEqual(left);
});

test.each([
  [
    [1, 3],
    [1, 2],
  ],
  [
    [10, 20],
    [1, 2],
  ],
  [
    [5, 1, 3],
    [3, 1, 2],
  ],
  [
    [1, 2],
    [1, 2],
  ],
])("%j close up to %j", (before, left) => {
  expect(after(queues(...before), closeUp(queues(...before)))).toEqual(left);
});

import { expect, test } from "vitest";
import { freePriority, shiftPriorities } from "./priorities.rules.ts";

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
  [[2, 3, 4, 5, 10], 5, [2, 3, 4, 6, 10]],
])("beside %j a queue that comes to %i leaves %j", (before, wanted, left) => {
  expect(after(queues(...before), shiftPriorities(queues(...before), wanted))).toEqual(left);
});

import fc from "fast-check";
import { expect, test } from "vitest";
import { DueHeap } from "./due-heap.ts";

const changes = fc.array(
  fc.record({ id: fc.integer({ min: 0, max: 20 }), at: fc.option(fc.nat(1000), { nil: null }) }),
  { maxLength: 300 },
);

test("hands out everybody in the order of their latest times", () => {
  fc.assert(
    fc.property(changes, (all) => {
      const heap = new DueHeap();
      const expected = new Map<string, number>();
      for (const { id, at } of all) {
        if (at === null) {
          heap.remove(`m${id}`);
          expected.delete(`m${id}`);
        } else {
          heap.set(`m${id}`, at);
          expected.set(`m${id}`, at);
        }
      }
      expect(heap.size).toBe(expected.size);
      const taken = new Map<string, number>();
      let last = -1;
      for (let due = heap.takeDue(1000); due !== null; due = heap.takeDue(1000)) {
        expect(due.at).toBeGreaterThanOrEqual(last);
        last = due.at;
        taken.set(due.id, due.at);
      }
      expect(taken).toEqual(expected);
      expect(heap.nextAt).toBeNull();
    }),
  );
});

test("hands out nobody before their time", () => {
  const heap = new DueHeap();
  heap.set("a", 10);
  expect(heap.takeDue(9)).toBeNull();
  expect(heap.nextAt).toBe(10);
  expect(heap.takeDue(10)).toEqual({ id: "a", at: 10 });
});

import { expect, test } from "vitest";
import { type PeekedQueue, peekAt } from "./polled-queues.rules.ts";

const EARLY = "2026-11-14T09:00:00.000000Z";
const LATER = "2026-11-14T10:00:00.000000Z";

const queue = (id: string, values: Partial<PeekedQueue> = {}): PeekedQueue => ({
  pool_id: "pool",
  pool_is_paused: false,
  pool_limit: null,
  id,
  name: id,
  is_paused: false,
  concurrency_limit: null,
  status: "READY",
  first: null,
  ...values,
});

test("there is work from the first time in any queue that is not paused", () => {
  const queues = [queue("a", { first: LATER }), queue("b", { first: EARLY })];
  expect(peekAt(queues).ofAll.next).toBe(EARLY);
  const paused = [queue("a", { first: LATER }), queue("b", { first: EARLY, is_paused: true })];
  expect(peekAt(paused).ofAll.next).toBe(LATER);
  expect(peekAt([queue("a", { first: EARLY, pool_is_paused: true })]).ofAll.next).toBeNull();
});

test("all queues are polled, also those that are paused, and one that is not ready makes itself known", () => {
  const queues = [queue("a"), queue("b", { is_paused: true })];
  expect(peekAt(queues).ofAll).toMatchObject({ ids: ["a", "b"], isUnserved: false });
  const unserved = [...queues, queue("c", { status: "NOT_READY" })];
  expect(peekAt(unserved).ofAll).toMatchObject({ ids: ["a", "b", "c"], isUnserved: true });
});

test("a pool that is not there has nothing to see", () => {
  expect(peekAt([])).toEqual({
    queues: [],
    topics: [],
    ofAll: { ids: [], isUnserved: false, next: null },
  });
});

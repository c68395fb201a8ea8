import { expect, test } from "vitest";
import { nameOfRun } from "../options/run-name.ts";
import { TaskPool } from "../scope/pool.ts";
import { createFuture, joinFutures } from "./task-future.ts";

test("results come in the order of the futures, and a failure after all have ended", async () => {
  const good = createFuture(null, "1", Promise.resolve(1));
  const bad = createFuture<number>(null, "2", Promise.reject(new Error("no")));
  expect(await joinFutures([good, good]).results()).toEqual([1, 1]);
  await expect(joinFutures([good, bad]).results()).rejects.toThrow("no");
  expect([await good.wait(), await bad.wait()]).toEqual(["completed", "failed"]);
  expect(await joinFutures([good, good]).wait()).toBe("completed");
  expect(await joinFutures([good, bad]).wait()).toBe("failed");
});

test("a pool gives the place of one that failed to the next in turn", async () => {
  const pool = new TaskPool(1);
  const order: number[] = [];
  const runs = [1, 2, 3].map((n) =>
    pool.run(async () => {
      order.push(n);
      if (n === 1) throw new Error("first");
    }),
  );
  await Promise.allSettled(runs);
  expect(order).toEqual([1, 2, 3]);
  expect(() => new TaskPool(0)).toThrow(RangeError);
});

test("names are made of parameters and arguments, and keep what they do not know", () => {
  expect(nameOfRun("for {region} {days} {none}", [{ region: "eu", days: 7 }])).toBe(
    "for eu 7 {none}",
  );
  expect(nameOfRun("{0} of {1}", ["a", "b"])).toBe("a of b");
  expect(nameOfRun((n: number) => `no. ${n}`, [3])).toBe("no. 3");
});

import { expect, test } from "vitest";
import { TokenBuckets } from "./token-buckets.ts";

const RATE = { perMinute: 60, burst: 3 };

function buckets(most = 100) {
  let now = 0;
  const made = new TokenBuckets(most, () => now);
  return {
    take: (name = "a", cost = 1) => made.take(name, RATE, cost),
    pass: (ms: number) => {
      now += ms;
    },
  };
}

test("lets a burst through, then as many as come back with time", () => {
  const { take, pass } = buckets();
  expect([take(), take(), take(), take()].map(({ isTaken }) => isTaken)).toEqual([
    true,
    true,
    true,
    false,
  ]);
  expect(take().waitMs).toBe(1000);
  pass(999);
  expect(take().isTaken).toBe(false);
  pass(1);
  expect(take()).toMatchObject({ isTaken: true, tokens: 0, waitMs: 1000 });
});

test("never holds more than a burst, and each name has its own", () => {
  const { take, pass } = buckets();
  pass(3_600_000);
  expect(take("a")).toMatchObject({ tokens: 2, waitMs: 0 });
  expect(take("b").tokens).toBe(2);
});

test("forgets the names that were not used for longest when there are too many", () => {
  const { take, pass } = buckets(4);
  for (const name of ["a", "b", "c", "d"]) {
    take(name);
    pass(1);
  }
  take("e");
  expect(take("d").tokens).toBe(1);
  expect(take("a").tokens).toBe(2);
});

test("admits a request that costs more than the bucket holds, and then waits until the debt is refilled", () => {
  const { take, pass } = buckets();
  expect(take("a", 5)).toMatchObject({ isTaken: true, tokens: 0, waitMs: 3000 });
  pass(2000);
  expect(take("a", 5)).toMatchObject({ isTaken: false, waitMs: 1000 });
  pass(1000);
  expect(take("a").isTaken).toBe(true);
});

import { manualClock } from "@orchestrator/kernel/testing";
import { expect, test } from "vitest";
import { plansOf } from "../../testing/plans.ts";
import { createTestTaskRun, proposeTask } from "../../testing/run-requests.ts";
import { describeEachApi, type TestApi } from "../../testing.ts";
import { createResultCacheTick } from "./result-cache.loop.ts";

const signal = new AbortController().signal;
const HOUR_MS = 3_600_000;
const inHours = (hours: number) => `2026-01-01T${String(hours).padStart(2, "0")}:00:00.000000Z`;

/** A task that completes with a result under the key. */
async function remember(api: TestApi, cache_key: string, n: number, expiresAt?: string) {
  const state_details = { cache_key, ...(expiresAt && { cache_expiration: expiresAt }) };
  await proposeTask(api, await createTestTaskRun(api), {
    type: "COMPLETED",
    data: { n },
    state_details,
  });
}

/** The result that a task with the key is given, null: it has to run. */
async function recall(api: TestApi, cache_key: string): Promise<unknown> {
  const start = { type: "RUNNING", state_details: { cache_key } };
  const { state } = await proposeTask(api, await createTestTaskRun(api), start);
  return (state as { readonly data?: { readonly n: number } | null } | null)?.data?.n ?? null;
}

async function countRemembered({ ctx }: TestApi): Promise<number> {
  const [row] = await ctx.db.exclusively((session) =>
    session.rows<{ count: number }>("select count(*) as count from task_run_cache"),
  );
  return Number(row?.count);
}

describeEachApi("results that are remembered", (open) => {
  test("are one for each key in the end, however often they were computed", async () => {
    const clock = manualClock();
    await using api = await open({ clock });
    const forget = createResultCacheTick(api.ctx);
    for (let n = 0; n < 5; n += 1) {
      await remember(api, "k", n);
      await remember(api, "other", n);
      clock.advanceMs(1);
    }
    expect(await forget(signal)).toBe(0);
    clock.advanceMs(61_000);
    expect(await forget(signal)).toBe(8);
    expect(await recall(api, "k")).toBe(4);
    await remember(api, "k", 9);
    clock.advanceMs(61_000);
    expect(await forget(signal)).toBe(1);
    expect([await recall(api, "k"), await recall(api, "other")]).toEqual([9, 4]);
    expect(await countRemembered(api)).toBe(2);
  });

  test("stay where the newer one expires first, and come to light again then", async () => {
    const clock = manualClock();
    await using api = await open({ clock });
    const forget = createResultCacheTick(api.ctx);
    const results = [
      [1, undefined],
      [2, undefined],
      [3, inHours(2)],
      [4, inHours(1)],
      [5, inHours(3)],
    ] as const;
    for (const [n, expiresAt] of results) {
      await remember(api, "k", n, expiresAt);
      clock.advanceMs(1);
    }
    clock.advanceMs(61_000);
    // Of those that never expire the first, and of the others those that the last one outlives.
    expect(await forget(signal)).toBe(3);
    expect(await recall(api, "k")).toBe(5);
    clock.advanceMs(3 * HOUR_MS);
    expect(await recall(api, "k")).toBe(2);
    expect(await forget(signal)).toBe(1);
    expect(await recall(api, "k")).toBe(2);
    expect(await countRemembered(api)).toBe(1);
  });

  test("are forgotten when runs of that age are", async () => {
    const clock = manualClock();
    await using api = await open({ clock, settings: { runRetention: HOUR_MS } });
    const forget = createResultCacheTick(api.ctx);
    await remember(api, "old", 1);
    clock.advanceMs(HOUR_MS / 2);
    await remember(api, "new", 2);
    expect(await forget(signal)).toBe(0);
    clock.advanceMs(HOUR_MS / 2 + 1000);
    expect(await forget(signal)).toBe(1);
    expect([await recall(api, "old"), await recall(api, "new")]).toEqual([null, 2]);
  });

  test("are found by indexes", async () => {
    const clock = manualClock();
    await using api = await open({ clock, settings: { runRetention: HOUR_MS } });
    await remember(api, "k", 1);
    await remember(api, "k", 2);
    clock.advanceMs(2 * HOUR_MS);
    const plans = await plansOf(api, (ctx) => createResultCacheTick(ctx)(signal));
    expect(plans[0]).toContain("task_run_cache_by_expiration");
    for (const plan of plans)
      expect(plan).not.toMatch(/SCAN (task_run_cache|newer|older|expired)\b(?! USING)|Seq Scan/);
  });
});

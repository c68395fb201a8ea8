// Checks by hand of monitors that another process holds.

import { until } from "@orchestrator/kernel/testing";
import { expect, test } from "vitest";
import { recordResult } from "../results/record-result.service.ts";
import { addTestMonitor, countingWrites, openBench, openReplica } from "../testing/engine-bench.ts";
import { anOutcome } from "../testing/scripted-pipeline.ts";
import { describeEachUptimeApi } from "../testing.ts";
import { checkAll, checkNow } from "./check-now.ts";
import { answerRequest, findRequest, requestCheck } from "./check-requests.store.ts";

describeEachUptimeApi("of several engines", (open) => {
  test("a check by hand is done by whoever holds the monitor", async ({ skip }) => {
    await using bench = await openBench(open);
    if (bench.api.openReplica === null) skip();
    const { api, targets } = bench;
    const holder = await openReplica(bench);
    const id = await addTestMonitor(api, { schedule: "0 0 1 1 *" });
    await holder.engine.sync();
    expect(holder.engine.share).toBe(1);
    const stop = new AbortController();
    const working = holder.engine.work(stop.signal);
    const answer = await api.post(`/monitors/${id}/check`);
    expect(answer).toMatchObject({ status: 200, body: { monitor_id: id, status: "up" } });
    expect(targets.runs).toHaveLength(1);
    stop.abort();
    await working;
    // All was given back at once.
    await bench.engine.sync();
    expect(bench.engine.share).toBe(1);
  });

  test("a check of very many that another holds leaves the database to others", async ({
    skip,
  }) => {
    await using bench = await openBench(open);
    if (bench.api.openReplica === null) skip();
    const { api, targets } = bench;
    const holder = await openReplica(bench);
    const count = 60;
    for (let i = 0; i < count; i += 1) await addTestMonitor(api, { schedule: "0 0 1 1 *" });
    await holder.engine.sync();
    expect(holder.engine.share).toBe(count);
    const stop = new AbortController();
    const working = holder.engine.work(stop.signal);
    const { counting, writes, mostAtOnce } = countingWrites(api.ctx);
    const signal = new AbortController().signal;
    const results = await checkAll(counting, { workspaceId: api.workspaceId, tags: [], signal });
    expect(results).toHaveLength(count);
    expect(targets.runs).toHaveLength(count);
    // One to try to take it, one to ask for it; on a slow machine some try to take it again.
    expect(writes()).toBeLessThan(count * 4);
    expect(mostAtOnce()).toBeLessThan(10);
    stop.abort();
    await working;
  });

  test("a check by hand is not answered with what was seen for somebody who asked before", async ({
    skip,
  }) => {
    await using bench = await openBench(open);
    if (bench.api.openReplica === null) skip();
    const { api, clock } = bench;
    const { ctx, workspaceId } = api;
    const holder = await openReplica(bench);
    const id = await addTestMonitor(api, { schedule: "0 0 1 1 *" });
    await holder.engine.sync();
    const earlier = { monitor_id: id, requested_at: clock.now() };
    await ctx.db.write(workspaceId, (tx) => requestCheck(tx, earlier));
    clock.advanceMs(1000);
    const { counting, writes } = countingWrites(ctx);
    const answer = checkNow(counting, { workspaceId, id });
    // It has tried to take the monitor, and to ask whoever has it.
    await until(() => expect(writes()).toBeGreaterThanOrEqual(2));
    const before = { workspaceId, monitorId: id, checkedAt: earlier.requested_at };
    await recordResult(ctx, { ...before, outcome: anOutcome("down"), trigger: "manual" });
    await ctx.db.writeSystem((tx) => answerRequest(tx, earlier));
    const stop = new AbortController();
    const working = holder.engine.work(stop.signal);
    expect(await answer).toMatchObject({ status: "up" });
    stop.abort();
    await working;
  });

  test("a check by hand is done once, also when it is answered just as its holder is taken for gone", async ({
    skip,
  }) => {
    await using bench = await openBench(open);
    if (bench.api.openReplica === null) skip();
    const { ctx, workspaceId } = bench.api;
    const holder = await openReplica(bench);
    const id = await addTestMonitor(bench.api, { schedule: "0 0 1 1 *" });
    await holder.engine.sync();
    let release = (): void => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    bench.targets.answer = () => released.then(() => anOutcome("degraded"));
    const stop = new AbortController();
    const working = holder.engine.work(stop.signal);
    // It tries to take the monitor, asks for it, and tries to take it again.
    const { counting, writes } = countingWrites(ctx, async (nth) => {
      if (nth !== 3) return;
      release();
      await until(async () => expect(await findRequest(ctx.db.in(workspaceId), id)).toBeNull());
      bench.clock.advanceMs(1);
    });
    const answer = await checkNow(counting, { workspaceId, id, retryMs: 20 });
    expect(answer).toMatchObject({ status: "degraded" });
    expect(bench.targets.runs).toHaveLength(1);
    expect(writes()).toBe(3);
    stop.abort();
    await working;
  });

  test("one that takes a monitor after it has asked for it leaves nothing to be done again", async ({
    skip,
  }) => {
    await using bench = await openBench(open);
    if (bench.api.openReplica === null) skip();
    const { ctx, workspaceId } = bench.api;
    const dead = await openReplica(bench, { holdSeconds: 0.3 });
    const id = await addTestMonitor(bench.api, { schedule: "0 0 1 1 *" });
    await dead.engine.sync();
    expect(dead.engine.share).toBe(1);
    expect(await checkNow(ctx, { workspaceId, id, retryMs: 20 })).toMatchObject({ status: "up" });
    expect(await findRequest(ctx.db.in(workspaceId), id)).toBeNull();
    expect(bench.targets.runs).toHaveLength(1);
  });
});

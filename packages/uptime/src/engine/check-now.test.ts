import type { CheckResult } from "@orchestrator/contract";
import { until } from "@orchestrator/kernel/testing";
import { expect, test } from "vitest";
import type { ServiceContext } from "../create-context.ts";
import { findMonitorRow, lockMonitor } from "../monitors/monitors.store.ts";
import { addTestMonitor, countingWrites } from "../testing/engine-bench.ts";
import { anOutcome, type ScriptedTargets, scriptedTargets } from "../testing/scripted-pipeline.ts";
import { describeEachUptimeApi, type OpenUptimeApi } from "../testing.ts";
import { checkAll, checkNow } from "./check-now.ts";

const OTHER_WORKSPACE = "5f0b1e7c-6a55-4a3e-9a43-0d6f4c3f6f10";

async function openTarget(open: OpenUptimeApi, more: Readonly<Record<string, unknown>> = {}) {
  const targets = scriptedTargets();
  const api = await open({ pipeline: targets.pipeline });
  const body = { name: "shop", url: "https://shop.example.com", ...more };
  const { id } = (await api.post("/monitors", body)).body as { readonly id: string };
  const { ctx, workspaceId } = api;
  return {
    api,
    ctx,
    workspaceId,
    targets,
    id,
    [Symbol.asyncDispose]: () => api[Symbol.asyncDispose](),
  };
}

/** The next run lasts until it is let go. */
function holdUp(targets: ScriptedTargets, status: CheckResult["status"] = "up"): () => void {
  let release = (): void => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  targets.answer = async () => {
    await released;
    return anOutcome(status);
  };
  return release;
}

/** A server that gives a monitor back, after its first run, only when the test says so. */
function givingBackLate(ctx: ServiceContext, { runs }: ScriptedTargets) {
  const { db } = ctx;
  let isAsked = false;
  let go = (): void => {};
  const allowed = new Promise<void>((resolve) => {
    go = resolve;
  });
  const writeSystem: typeof db.writeSystem = async (work) => {
    if (runs.length > 0) {
      isAsked = true;
      await allowed;
    }
    return db.writeSystem(work);
  };
  const late = { ...ctx, db: { ...db, in: db.in.bind(db), write: db.write.bind(db), writeSystem } };
  return { late, go, isAsked: () => isAsked };
}

/** More questions to the database than it takes to begin a run, or to join one. */
async function timeToBegin({ db }: ServiceContext, workspaceId: string): Promise<void> {
  for (let i = 0; i < 20; i += 1) await findMonitorRow(db.in(workspaceId), OTHER_WORKSPACE);
}

describeEachUptimeApi("a check by hand", (open) => {
  test("does not join the run of a monitor of another workspace", async () => {
    await using t = await openTarget(open);
    const { ctx, workspaceId, targets, id } = t;
    const release = holdUp(targets);
    const own = checkNow(ctx, { workspaceId, id });
    await until(() => expect(targets.runs).toHaveLength(1));
    const foreign = checkNow(ctx, { workspaceId: OTHER_WORKSPACE, id });
    await expect(foreign).rejects.toMatchObject({ code: "not_found" });
    release();
    expect(await own).toMatchObject({ monitor_id: id });
  });

  test("does not join a run that has seen its target already", async () => {
    await using t = await openTarget(open);
    const { ctx, workspaceId, targets, id } = t;
    const release = holdUp(targets, "down");
    const repaired: Promise<CheckResult>[] = [];
    const first = checkNow(ctx, { workspaceId, id });
    await until(() => expect(targets.runs).toHaveLength(1));
    await ctx.db.write(workspaceId, async (tx) => {
      // What is seen now cannot be kept before this ends.
      await lockMonitor(tx, id);
      release();
      await until(() => expect(ctx.runs.queue.running).toBe(0));
      targets.answer = () => anOutcome("up");
      repaired.push(checkNow(ctx, { workspaceId, id }));
      await timeToBegin(ctx, workspaceId);
    });
    await first;
    expect(await Promise.all(repaired)).toMatchObject([{ status: "up" }]);
  });

  test("is not begun for somebody who has gone away", async () => {
    await using t = await openTarget(open);
    const { ctx, workspaceId, targets } = t;
    const asked = { workspaceId, tags: [], signal: AbortSignal.abort() };
    await expect(checkAll(ctx, asked)).rejects.toMatchObject({ code: "unavailable" });
    expect(targets.runs).toEqual([]);
  });

  test("of many leaves connections to others, where the database has few", async () => {
    await using t = await openTarget(open);
    const { api, ctx, workspaceId } = t;
    for (let i = 0; i < 20; i += 1) await addTestMonitor(api);
    const { counting, mostAtOnce } = countingWrites(ctx);
    await checkAll(counting, { workspaceId, tags: [] });
    if (ctx.db.dialect.isRemote) expect(mostAtOnce()).toBeLessThan(10);
    // Else each that waited for its turn would be one commit more.
    else expect(mostAtOnce()).toBeGreaterThan(10);
  });

  test("keeps a paused monitor that is just being given back", async () => {
    await using t = await openTarget(open, { enabled: false });
    const { ctx, workspaceId, targets, id } = t;
    const { late, go, isAsked } = givingBackLate(ctx, targets);
    const first = checkNow(late, { workspaceId, id });
    await until(() => expect(isAsked()).toBe(true));
    const release = holdUp(targets);
    const second = checkNow(ctx, { workspaceId, id });
    await timeToBegin(ctx, workspaceId);
    go();
    await first;
    await until(() => expect(targets.runs).toHaveLength(2));
    expect(await findMonitorRow(ctx.db.in(workspaceId), id)).toMatchObject({
      run_holder: ctx.runs.holder,
    });
    release();
    await second;
    expect(await findMonitorRow(ctx.db.in(workspaceId), id)).toMatchObject({ run_holder: null });
  });
});

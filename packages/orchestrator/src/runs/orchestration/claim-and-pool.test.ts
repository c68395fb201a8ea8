// Whoever claims a run holds the run first and its pool afterwards. So does whoever deletes the
// pool or the queue.

import { openScope } from "@orchestrator/kernel/scope";
import { untilBlockedOnRow } from "@orchestrator/kernel/testing";
import { expect, test } from "vitest";
import type { OrchestratorContext } from "../../context.ts";
import { createRunsOf, createTestDeployment, readRecord } from "../../testing/run-requests.ts";
import { describeEachApi } from "../../testing.ts";
import { deleteWorkPool } from "../../work/pools/work-pools.service.ts";
import { deleteWorkQueue } from "../../work/queues/work-queues.service.ts";
import { lockFlowRun } from "./flow-run-states.store.ts";
import { proposeFlowRunState } from "./set-flow-run-state.ts";
import { findParentFlowRun } from "./task-run-states.store.ts";

const scope = openScope("");
const QUEUE = { work_pool_name: "local", name: "fast" };

/** A server that knows how many of its writes had to be done again. */
function countingRetries(ctx: OrchestratorContext) {
  const { db } = ctx;
  let retries = 0;
  const write: typeof db.write = (workspaceId, work) => {
    let tries = 0;
    return db.write(workspaceId, (tx) => {
      tries += 1;
      if (tries > 1) retries += 1;
      return work(tx);
    });
  };
  return { ctx: { ...ctx, db: { ...db, in: db.in.bind(db), write } }, retries: () => retries };
}

describeEachApi("a claim", (open) => {
  test.each([
    ["pool", (ctx: OrchestratorContext) => deleteWorkPool(ctx, scope, "local")],
    ["queue", (ctx: OrchestratorContext) => deleteWorkQueue(ctx, scope, QUEUE)],
  ])("comes to its end when its %s is deleted meanwhile", async (_what, remove) => {
    await using api = await open();
    await api.post("/work_pools/", { name: "local", type: "process", concurrency_limit: 1 });
    const place = { work_pool_name: "local", work_queue_name: "fast" };
    const [id = ""] = await createRunsOf(api, await createTestDeployment(api, place));
    const { ctx, retries } = countingRetries(api.ctx);
    const removals: Promise<void>[] = [];
    const claimed = await ctx.db.write(scope.workspaceId, async (tx) => {
      await lockFlowRun(tx, id);
      // It is held from the first statement on that is waited for.
      await findParentFlowRun(tx, id);
      if (removals.length === 0) removals.push(remove(ctx));
      await untilBlockedOnRow(api.ctx.db);
      return proposeFlowRunState(ctx, tx, { id, state: { type: "PENDING" } });
    });
    await Promise.all(removals);
    expect(claimed).toMatchObject({ status: "ACCEPT" });
    expect(await readRecord(api, `/flow_runs/${id}`)).toMatchObject({ work_queue_id: null });
    expect(retries()).toBe(0);
  });
});

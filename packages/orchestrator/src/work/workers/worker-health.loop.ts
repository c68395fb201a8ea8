import type { Transaction } from "@orchestrator/kernel/storage";
import type { OrchestratorContext } from "../../context.ts";
import { emitResourceEvent } from "../../events/emit.ts";
import {
  lockForgottenDeployments,
  markDeploymentsForgotten,
} from "../pools/deployment-readiness.store.ts";
import { deploymentStatusEvent } from "../pools/readiness.events.ts";
import { lockStaleQueues, lockUnservedPools } from "../pools/work-readiness.store.ts";
import { changePoolStatus, changeQueueStatus, polledFrom } from "../pools/work-status.service.ts";
import {
  workspacesWithForgotten,
  workspacesWithStaleQueues,
  workspacesWithUnserved,
} from "./worker-health.store.ts";
import { markSilentWorkers, workspacesWithSilent } from "./workers.store.ts";

const BATCH = 100;

type Workspaces = readonly { readonly workspace_id: string }[];

/**
 * Notices who has gone: workers that are silent, then pools that no worker serves, then deployments
 * and queues that nobody polls.
 */
export async function checkWorkerHealth(
  ctx: OrchestratorContext,
  signal: AbortSignal,
): Promise<void> {
  if (!(await ctx.hearing.listen())) return;
  const { system } = ctx.db;
  const now = ctx.clock.now();
  const cutoff = polledFrom(ctx);

  for (const { workspace_id } of await system.all(workspacesWithSilent, { now }))
    await ctx.db.write(workspace_id, (tx) => markSilentWorkers(tx, now));

  await inBatches(ctx, signal, {
    workspaces: await system.all(workspacesWithUnserved, {}),
    step: async (tx) => {
      const pools = await lockUnservedPools(tx, BATCH);
      for (const pool of pools) await changePoolStatus(ctx, tx, { pool, status: "NOT_READY" });
      return pools.length;
    },
  });
  await inBatches(ctx, signal, {
    workspaces: await system.all(workspacesWithForgotten, { cutoff }),
    step: async (tx) => {
      const deployments = await lockForgottenDeployments(tx, { cutoff, limit: BATCH });
      if (deployments.length > 0)
        await markDeploymentsForgotten(
          tx,
          deployments.map(({ id }) => id),
        );
      for (const row of deployments)
        await emitResourceEvent(ctx, tx, deploymentStatusEvent(row, "NOT_READY", now));
      return deployments.length;
    },
  });
  await inBatches(ctx, signal, {
    workspaces: await system.all(workspacesWithStaleQueues, { cutoff }),
    step: async (tx) => {
      const queues = await lockStaleQueues(tx, { cutoff, limit: BATCH });
      for (const queue of queues) await changeQueueStatus(ctx, tx, { queue, status: "NOT_READY" });
      return queues.length;
    },
  });
}

/** Every batch is a transaction of its own, which looks again at what it changes. */
async function inBatches(
  ctx: OrchestratorContext,
  signal: AbortSignal,
  {
    workspaces,
    step,
  }: { readonly workspaces: Workspaces; readonly step: (tx: Transaction) => Promise<number> },
): Promise<void> {
  for (const { workspace_id } of workspaces) {
    let changed = BATCH;
    while (changed === BATCH && !signal.aborted) changed = await ctx.db.write(workspace_id, step);
  }
}

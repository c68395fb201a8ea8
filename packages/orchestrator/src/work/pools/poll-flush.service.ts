import { formatMicros } from "@orchestrator/kernel/pure";
import type { Transaction } from "@orchestrator/kernel/storage";
import type { OrchestratorContext } from "../../context.ts";
import { writeBuffered } from "../../db/write-buffered.ts";
import { emitResourceEvent } from "../../events/emit.ts";
import type { Polls } from "../../polling/poll-recorder.ts";
import { lockPolledDeployments, markDeploymentsPolled } from "./deployment-readiness.store.ts";
import { deploymentStatusEvent } from "./readiness.events.ts";
import { lockPolledQueues, touchQueues } from "./work-readiness.store.ts";
import { changeQueueStatus } from "./work-status.service.ts";

/** A deployment of a queue that is polled all the time is written to only this often. */
const DEPLOYMENTS_EVERY_SECONDS = 30;

/**
 * Writes down the polls since the last time: when, and who is ready now. Without any it does
 * nothing.
 */
export async function flushPolls(ctx: OrchestratorContext): Promise<void> {
  await writeBuffered(ctx.polls.take(), {
    write: (workspaceId, polls) => ctx.db.write(workspaceId, (tx) => writePolls(ctx, tx, polls)),
    giveBack: (workspaceId, polls) => ctx.polls.putBack(workspaceId, polls),
  });
}

async function writePolls(
  ctx: OrchestratorContext,
  tx: Transaction,
  { queues, deployments }: Polls,
): Promise<void> {
  const queueIds = [...queues.keys()];
  const now = ctx.clock.now();
  const stale = formatMicros(ctx.clock.nowMicros() - DEPLOYMENTS_EVERY_SECONDS * 1_000_000);
  // Deployments are held before queues, as everywhere.
  const polled = await lockPolledDeployments(tx, { queueIds, ids: [...deployments.keys()], stale });
  if (queueIds.length > 0) {
    for (const queue of await lockPolledQueues(tx, queueIds))
      if (queue.status === "NOT_READY")
        await changeQueueStatus(ctx, tx, { queue, status: "READY" });
    await touchQueues(tx, queues);
  }
  if (polled.length === 0) return;
  const times = [...queues.values(), ...deployments.values()];
  const at = times.reduce((latest, time) => (time > latest ? time : latest), "");
  const ids = polled.map(({ id }) => id);
  const served = ids.filter((id) => deployments.has(id));
  await markDeploymentsPolled(tx, { ids, served, at });
  for (const row of polled)
    if (row.status === "NOT_READY")
      await emitResourceEvent(ctx, tx, deploymentStatusEvent(row, "READY", now));
}

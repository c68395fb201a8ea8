// A deployment's row with what a caller gave: fields, queue and limit, in the transaction of the change.

import type { DeploymentUpdate, Labels } from "@orchestrator/contract";
import { AppError } from "@orchestrator/kernel/pure";
import type { Transaction } from "@orchestrator/kernel/storage";
import type { OrchestratorContext } from "../../context.ts";
import type { DeploymentRow } from "../../db/tables/deployments.table.ts";
import { lockLimit } from "../../limits/concurrency-limits.store.ts";
import { deleteLimit, setDeploymentLimit } from "../../limits/deployment-limit.service.ts";
import { deploymentLimitName } from "../../limits/occupancy.rules.ts";
import { findLimit } from "../../limits/slots.store.ts";
import { findJobTemplate } from "../../runs/deployment/job-templates.store.ts";
import { assignQueue, DEFAULT_AGENT_POOL } from "../../work/pools/queue-assignment.service.ts";
import { isSameRow, withChanges } from "./deployment-changes.rules.ts";
import { updateDeploymentRow } from "./deployment-rows.store.ts";

export interface RowChange {
  /** Held by the transaction. */
  readonly before: DeploymentRow;
  /** What the fields are changed from, where that is not the row as it is. */
  readonly base?: DeploymentRow;
  readonly changes: DeploymentUpdate & { readonly labels?: Labels | null };
  readonly now: string;
}

/** Writes what is different and answers the row as it is now. */
export async function applyChanges(
  ctx: OrchestratorContext,
  tx: Transaction,
  change: RowChange,
): Promise<DeploymentRow> {
  const { before, base = before, changes, now } = change;
  const after = {
    ...withChanges(base, changes),
    work_queue_id: await chooseQueue(ctx, tx, change),
    concurrency_limit_id: await chooseLimit(ctx, tx, change),
  };
  if (isSameRow(before, after)) return before;
  const row = { ...after, updated: now };
  await updateDeploymentRow(tx, row);
  return row;
}

/** A pool that is taken away takes its queue with it; a queue without a pool stays in the pool it is in. */
async function chooseQueue(
  ctx: OrchestratorContext,
  tx: Transaction,
  { before, changes }: RowChange,
): Promise<string | null> {
  const queue = changes.work_queue_name ?? null;
  const pool = changes.work_pool_name ?? null;
  if (pool === null && queue === null)
    return changes.work_pool_name === null ? null : before.work_queue_id;
  // The agents' pool is made on demand, so it is asked for by leaving it out.
  if (pool === DEFAULT_AGENT_POOL)
    return assignQueue(ctx, tx, { work_queue_name: queue ?? DEFAULT_QUEUE });
  if (pool !== null || before.work_queue_id === null)
    return assignQueue(ctx, tx, { work_pool_name: pool, work_queue_name: queue });
  const current = await findJobTemplate(tx, { queueId: before.work_queue_id });
  return assignQueue(ctx, tx, { work_pool_name: current?.name ?? null, work_queue_name: queue });
}

const DEFAULT_QUEUE = "default";

/** A number is a limit of the deployment's own, an id one that others share. Its own goes when it is no longer wanted. */
async function chooseLimit(
  ctx: OrchestratorContext,
  tx: Transaction,
  { before, changes, now }: RowChange,
): Promise<string | null> {
  const { concurrency_limit: limit, global_concurrency_limit_id: shared } = changes;
  if (limit === undefined && shared === undefined) return before.concurrency_limit_id;
  if (limit != null) return setDeploymentLimit(ctx, tx, { deploymentId: before.id, limit, now });
  if (shared != null && (await lockLimit(tx, { id: shared })) === null)
    throw new AppError("not_found", `Concurrency limit ${shared} not found`);
  if (shared !== before.concurrency_limit_id) await deleteOwnLimit(ctx, tx, { row: before, now });
  return shared ?? null;
}

/** Deletes the limit that was made for the deployment; one that others share stays. */
export async function deleteOwnLimit(
  ctx: OrchestratorContext,
  tx: Transaction,
  { row, now }: { readonly row: DeploymentRow; readonly now: string },
): Promise<void> {
  const own = await findLimit(tx, { name: deploymentLimitName(row.id) });
  if (own !== null) await deleteLimit(ctx, tx, { id: own.id, now });
}

// A deployment's row with what a caller gave: fields, queue and limit, in the transaction of the
// change.

import type { DeploymentUpdate, Labels } from "@orchestrator/contract";
import { InvalidRequestError } from "@orchestrator/kernel/http";
import { AppError } from "@orchestrator/kernel/pure";
import type { Transaction } from "@orchestrator/kernel/storage";
import type { OrchestratorContext } from "../../context.ts";
import type { DeploymentRow } from "../../db/tables/deployments.table.ts";
import { lockLimit } from "../../limits/concurrency-limits.store.ts";
import { deleteLimit, setDeploymentLimit } from "../../limits/deployment-limit.service.ts";
import { receivedKey, refuseBadTemplate } from "../../limits/limit-keys.rules.ts";
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
  const keyBefore = await findOwnKey(tx, change);
  const after = {
    ...withChanges(base, changes),
    work_queue_id: await chooseQueue(ctx, tx, change),
    concurrency_limit_id: await chooseLimit(ctx, tx, change),
  };
  // Runs that schedules have made ahead have the value of the key that was.
  const isOtherKey = changes.concurrency_key !== undefined && changes.concurrency_key !== keyBefore;
  if (isSameRow(before, after) && !isOtherKey) return before;
  const row = { ...after, updated: now };
  await updateDeploymentRow(tx, row);
  return row;
}

/**
 * A pool that is taken away takes its queue with it; a queue without a pool stays in the pool it is
 * in.
 */
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

/**
 * A number is a limit of the deployment's own, an id one that others share. Its own goes when it is
 * no longer wanted.
 */
async function chooseLimit(
  ctx: OrchestratorContext,
  tx: Transaction,
  { before, changes, now }: RowChange,
): Promise<string | null> {
  const { global_concurrency_limit_id: shared, concurrency_key: key } = changes;
  const { concurrency_limit: limit } = changes;
  refuseBadTemplate(key, "concurrency_key");
  const own = { deploymentId: before.id, key, now };
  if (limit != null) return setDeploymentLimit(ctx, tx, { ...own, limit });
  if (key != null && (limit === null || shared != null)) refuseKey("needs a concurrency_limit");
  if (limit === undefined && shared === undefined)
    return key === undefined
      ? before.concurrency_limit_id
      : changeKey(ctx, tx, { before, own: { ...own, key } });
  if (shared != null && (await lockLimit(tx, { id: shared })) === null)
    throw new AppError("not_found", `Concurrency limit ${shared} not found`);
  if (shared !== before.concurrency_limit_id) await deleteOwnLimit(ctx, tx, { row: before, now });
  return shared ?? null;
}

/** The key of a shared limit is changed where the limit is. */
async function changeKey(
  ctx: OrchestratorContext,
  tx: Transaction,
  {
    before: { id, concurrency_limit_id: current },
    own,
  }: {
    readonly before: DeploymentRow;
    readonly own: { deploymentId: string; key: string | null; now: string };
  },
): Promise<string | null> {
  const limit = current === null ? null : await findLimit(tx, { id: current });
  const isShared = limit !== null && limit.name !== deploymentLimitName(id);
  if (isShared && own.key !== null)
    refuseKey(`belongs to the limit ${limit.name}, which the deployment shares`);
  if (isShared || (limit === null && own.key === null)) return current;
  return setDeploymentLimit(ctx, tx, own);
}

/** The template of the deployment's own limit, where a change names one. */
async function findOwnKey(tx: Transaction, { before, changes }: RowChange): Promise<string | null> {
  if (changes.concurrency_key === undefined) return null;
  const own = await findLimit(tx, { name: deploymentLimitName(before.id) });
  return receivedKey(own?.key ?? null)?.template ?? null;
}

function refuseKey(problem: string): never {
  const msg = `Value error, concurrency_key ${problem}`;
  throw new InvalidRequestError([{ type: "value_error", loc: ["body", "concurrency_key"], msg }]);
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

import type { WorkQueue, WorkQueueCreate, WorkQueueUpdate } from "@orchestrator/contract";
import { listJson } from "@orchestrator/kernel/lists";
import { AppError, isAppError } from "@orchestrator/kernel/pure";
import type { Scope } from "@orchestrator/kernel/scope";
import type { JsonText, Transaction } from "@orchestrator/kernel/storage";
import type { OrchestratorContext } from "../../context.ts";
import { inBatches, MORE } from "../../db/in-batches.ts";
import type { WorkPoolRow } from "../../db/tables/work-pools.table.ts";
import {
  type QueueAddress,
  WORK_QUEUES,
  type WorkQueueRow,
} from "../../db/tables/work-queues.table.ts";
import { emitResourceEvent } from "../../events/emit.ts";
import { poolTopic } from "../../polling/work-topics.rules.ts";
import { DEFAULT_QUEUE_NAME } from "../pools/add-pool.service.ts";
import { addQueue } from "../pools/add-queue.service.ts";
import { shiftPriorities } from "../pools/priorities.rules.ts";
import {
  DEFAULT_AGENT_POOL,
  lockAgentPool,
  poolNotFound,
} from "../pools/queue-assignment.service.ts";
import { findRemovable, releaseRest, releaseSome } from "../pools/release-queue.store.ts";
import { type Changes, workQueueEvent } from "../pools/work-pools.events.ts";
import { findWorkPoolId, lockWorkPool } from "../pools/work-pools.store.ts";
import {
  findPoolOfQueue,
  findQueueIdByName,
  findWorkQueue,
  lockQueuesOfPool,
  lockWorkQueue,
  removeWorkQueueRow,
  setPriorities,
  updateWorkQueueRow,
} from "../pools/work-queues.store.ts";
import { queueStatus } from "../pools/work-status.rules.ts";
import { changeQueueStatus, polledFrom } from "../pools/work-status.service.ts";
import { POOL_QUEUE_LIST } from "./work-queues.filter.ts";

export async function createWorkQueue(
  ctx: OrchestratorContext,
  scope: Scope,
  { poolName, queue }: { readonly poolName: string | null; readonly queue: WorkQueueCreate },
): Promise<JsonText<WorkQueue>> {
  return ctx.db.write(scope.workspaceId, async (tx) => {
    const { pool, isNew } = await poolForNewQueue(ctx, tx, poolName);
    // A pool that had to be made for the queue has brought its default queue with it.
    const isThere = isNew && queue.name === DEFAULT_QUEUE_NAME;
    const added = isThere ? null : await addQueue(ctx, tx, { pool, queue: newQueue(queue) });
    if (added === null && !isThere) throw nameTaken(queue.name, pool);
    const record = await findWorkQueue(tx, { poolId: pool.id, name: queue.name });
    if (record === null) throw new AppError("not_found", `Work queue ${queue.name} not found`);
    return record;
  });
}

export async function readWorkQueue(
  ctx: OrchestratorContext,
  scope: Scope,
  address: QueueAddress,
): Promise<JsonText<WorkQueue>> {
  const queries = ctx.db.in(scope.workspaceId);
  if ("id" in address) {
    const queue = await findWorkQueue(queries, { id: address.id });
    if (queue === null) throw notFound(address);
    return queue;
  }
  const poolId = await findWorkPoolId(queries, address.work_pool_name);
  if (poolId === null) throw poolNotFound(address.work_pool_name);
  const queue = await findWorkQueue(queries, { poolId, name: address.name });
  if (queue === null) throw notFound(address);
  return queue;
}

/**
 * The queue of the agents' pool with this name, or else the oldest one of any pool. In a dialect
 * that keeps to the agents' pool, other pools count only while there is no such pool.
 */
export async function readWorkQueueByName(
  ctx: OrchestratorContext,
  scope: Scope,
  name: string,
): Promise<JsonText<WorkQueue>> {
  const queries = ctx.db.in(scope.workspaceId);
  if (ctx.dialect.keepsToAgentsPool && (await findWorkPoolId(queries, DEFAULT_AGENT_POOL)) !== null)
    return readWorkQueue(ctx, scope, { work_pool_name: DEFAULT_AGENT_POOL, name });
  const id = await findQueueIdByName(queries, { name, preferred: DEFAULT_AGENT_POOL });
  if (id === null) throw new AppError("not_found", `Work queue ${name} not found`);
  return readWorkQueue(ctx, scope, { id });
}

export interface QueuePage {
  readonly filter: Readonly<Record<string, unknown>> | undefined;
  readonly limit: number;
  readonly offset: number;
}

export async function listQueuesOfPool(
  ctx: OrchestratorContext,
  scope: Scope,
  { poolName, page }: { readonly poolName: string; readonly page: QueuePage },
): Promise<JsonText<WorkQueue[]>> {
  const queries = ctx.db.in(scope.workspaceId);
  const poolId = await findWorkPoolId(queries, poolName);
  if (poolId === null) throw poolNotFound(poolName);
  const { filter, limit, offset } = page;
  return listJson<WorkQueue>(queries, POOL_QUEUE_LIST, {
    filter: { pool: { id: { any_: [poolId] } }, queue: filter },
    limit,
    offset,
  });
}

/** Changes the given fields only. What is the same afterwards is not an update and tells no one. */
export async function updateWorkQueue(
  ctx: OrchestratorContext,
  scope: Scope,
  { address, changes }: { readonly address: QueueAddress; readonly changes: WorkQueueUpdate },
): Promise<void> {
  const now = ctx.clock.now();
  await ctx.db.write(scope.workspaceId, async (tx) => {
    const { pool, queue: before } = await holdQueueAt(tx, address);
    const after = withChanges(before, changes);
    const updates = changesOf(before, after);
    const isPollChanged = before.last_polled !== after.last_polled;
    const isPauseChanged = before.is_paused !== after.is_paused;
    const isTold = Object.keys(updates).length > 0;
    if (!isTold && !isPollChanged && !isPauseChanged) return;
    if (before.priority !== after.priority) {
      const others = (await lockQueuesOfPool(tx, pool.id)).filter(({ id }) => id !== before.id);
      await setPriorities(tx, shiftPriorities(others, after.priority));
    }
    await updateWorkQueueRow(tx, { ...after, updated: now }).catch((error: unknown) => {
      throw isAppError(error, "conflict") ? nameTaken(after.name, pool) : error;
    });
    if (isTold || isPauseChanged) tx.notify(poolTopic(pool.id));
    if (isTold) {
      const event = workQueueEvent(
        "updated",
        { queue: after, pool },
        { occurred: now, changes: updates },
      );
      await emitResourceEvent(ctx, tx, event);
    }
    const status =
      isPauseChanged || isPollChanged ? queueStatus(after, polledFrom(ctx)) : before.status;
    if (status !== before.status)
      await changeQueueStatus(ctx, tx, {
        queue: { ...after, pool },
        status: queueStatus(after, polledFrom(ctx)),
      });
  });
}

/**
 * Deployments and runs are left without a queue, some at a time, before it goes. The others keep
 * their priorities.
 */
export async function deleteWorkQueue(
  ctx: OrchestratorContext,
  scope: Scope,
  address: QueueAddress,
): Promise<void> {
  const now = ctx.clock.now();
  await inBatches(ctx.db, scope.workspaceId, async (tx) => {
    if (await releaseSome(tx, await findRemovable(tx, address))) return MORE;
    const { pool, queue } = await holdQueueAt(tx, address);
    if (queue.id === pool.default_queue_id)
      throw new AppError(
        "conflict",
        `Work queue ${queue.name} is the default of its work pool and stays with it`,
      );
    await releaseRest(tx, [queue.id]);
    await removeWorkQueueRow(tx, queue.id);
    tx.notify(poolTopic(pool.id));
    await emitResourceEvent(ctx, tx, workQueueEvent("deleted", { queue, pool }, { occurred: now }));
    return undefined;
  });
}

async function poolForNewQueue(
  ctx: OrchestratorContext,
  tx: Transaction,
  name: string | null,
): Promise<{ readonly pool: WorkPoolRow; readonly isNew: boolean }> {
  if (name === null) return lockAgentPool(ctx, tx);
  const pool = await lockWorkPool(tx, { name });
  if (pool === null) throw poolNotFound(name);
  return { pool, isNew: false };
}

/** The queue and its pool, which is held first by whoever changes a queue. */
async function holdQueueAt(
  tx: Transaction,
  address: QueueAddress,
): Promise<{ readonly pool: WorkPoolRow; readonly queue: WorkQueueRow }> {
  if ("id" in address) {
    const poolId = await findPoolOfQueue(tx, address.id);
    const pool = poolId === null ? null : await lockWorkPool(tx, { id: poolId });
    const queue = pool === null ? null : await lockWorkQueue(tx, address);
    if (pool === null || queue === null) throw notFound(address);
    return { pool, queue };
  }
  const pool = await lockWorkPool(tx, { name: address.work_pool_name });
  if (pool === null) throw poolNotFound(address.work_pool_name);
  const queue = await lockWorkQueue(tx, { poolId: pool.id, name: address.name });
  if (queue === null) throw notFound(address);
  return { pool, queue };
}

const newQueue = ({ filter: _none, ...queue }: WorkQueueCreate) => queue;

function withChanges(row: WorkQueueRow, changes: WorkQueueUpdate): WorkQueueRow {
  const { description, ...others } = changes;
  const given = description === undefined ? {} : { description: description ?? "" };
  return WORK_QUEUES.changed(row, { ...others, ...given });
}

/** Pausing has events of its own, and being polled is no change. */
function changesOf(before: WorkQueueRow, after: WorkQueueRow): Changes {
  const told = ["name", "description", "concurrency_limit", "priority"] as const;
  return Object.fromEntries(
    told
      .filter((field) => before[field] !== after[field])
      .map((field) => [field, { from: before[field], to: after[field] }]),
  );
}

function notFound(address: QueueAddress): AppError {
  const which =
    "id" in address ? address.id : `${address.name} in work pool ${address.work_pool_name}`;
  return new AppError("not_found", `Work queue ${which} not found`);
}

function nameTaken(name: string, pool: WorkPoolRow): AppError {
  return new AppError("conflict", `Work pool ${pool.name} already has a queue named ${name}`);
}

import type {
  JsonObject,
  WorkPool,
  WorkPoolCreate,
  WorkPoolStorage,
  WorkPoolUpdate,
} from "@orchestrator/contract";
import { readJson, writeJson } from "@orchestrator/exact-json";
import { InvalidRequestError } from "@orchestrator/kernel/http";
import { AppError } from "@orchestrator/kernel/pure";
import type { Scope } from "@orchestrator/kernel/scope";
import type { JsonText, Transaction } from "@orchestrator/kernel/storage";
import type { OrchestratorContext } from "../../context.ts";
import { inBatches, MORE } from "../../db/in-batches.ts";
import { WORK_POOLS, type WorkPoolRow } from "../../db/tables/work-pools.table.ts";
import { emitResourceEvent } from "../../events/emit.ts";
import { poolTopic } from "../../polling/work-topics.rules.ts";
import { addPool, storageText } from "./add-pool.service.ts";
import { baseJobTemplateProblem } from "./base-job-template.service.ts";
import { poolNotFound } from "./queue-assignment.service.ts";
import { findQueueIds, releaseRest, releaseSome } from "./release-queue.store.ts";
import { expandTemplate } from "./template-blocks.service.ts";
import { type Changes, workPoolEvent, workQueueEvent } from "./work-pools.events.ts";
import { isReservedPoolName, mayChange } from "./work-pools.rules.ts";
import {
  findWorkPool,
  lockWorkPool,
  removeWorkPoolRow,
  updateWorkPoolRow,
} from "./work-pools.store.ts";
import { lockQueuesOfPool } from "./work-queues.store.ts";
import { poolStatus } from "./work-status.rules.ts";
import { changePoolStatus } from "./work-status.service.ts";
import { hasWorkerOnline } from "./worker-online.store.ts";

export async function createWorkPool(
  ctx: OrchestratorContext,
  scope: Scope,
  {
    base_job_template: template = {},
    storage_configuration: storage = {},
    ...pool
  }: WorkPoolCreate,
): Promise<JsonText<WorkPool>> {
  if (isReservedPoolName(pool.name)) throw reserved();
  await assertTemplate(ctx, scope, template);
  return ctx.db.write(scope.workspaceId, async (tx) => {
    const added = await addPool(ctx, tx, {
      ...pool,
      type: pool.type ?? ctx.dialect.poolType,
      base_job_template: writeJson(template),
      storage,
    });
    if (added === null)
      throw new AppError("conflict", `A work pool named ${pool.name} already exists`);
    return recordOf(tx, pool.name);
  });
}

export async function readWorkPool(
  ctx: OrchestratorContext,
  scope: Scope,
  name: string,
): Promise<JsonText<WorkPool>> {
  const pool = await findWorkPool(ctx.db.in(scope.workspaceId), name);
  if (pool === null) throw poolNotFound(name);
  return pool;
}

/** Changes the given fields only. What is the same afterwards is not an update and tells no one. */
export async function updateWorkPool(
  ctx: OrchestratorContext,
  scope: Scope,
  { name, changes }: { readonly name: string; readonly changes: WorkPoolUpdate },
): Promise<void> {
  if (!mayChange(name, Object.keys(changes))) throw reserved();
  if (changes.base_job_template) await assertTemplate(ctx, scope, changes.base_job_template);
  const now = ctx.clock.now();
  await ctx.db.write(scope.workspaceId, async (tx) => {
    const before = await lockWorkPool(tx, { name });
    if (before === null) throw poolNotFound(name);
    const after = withChanges(before, changes);
    const updates = changesOf(before, after);
    const isPauseChanged = before.is_paused !== after.is_paused;
    if (Object.keys(updates).length === 0 && !isPauseChanged) return;
    await updateWorkPoolRow(tx, { ...after, updated: now });
    tx.notify(poolTopic(before.id));
    if (Object.keys(updates).length > 0) {
      const event = workPoolEvent("updated", after, {
        ...(await about(tx, after)),
        occurred: now,
        changes: updates,
      });
      await emitResourceEvent(ctx, tx, event);
    }
    if (!isPauseChanged) return;
    const status = poolStatus(after, !after.is_paused && (await hasWorkerOnline(tx, after.id)));
    if (status !== null && status !== before.status)
      await changePoolStatus(ctx, tx, { pool: before, status });
  });
}

/**
 * Its queues and workers go with it; deployments and runs are left without a queue, some at a time,
 * before it goes.
 */
export async function deleteWorkPool(
  ctx: OrchestratorContext,
  scope: Scope,
  name: string,
): Promise<void> {
  if (isReservedPoolName(name)) throw reserved();
  const now = ctx.clock.now();
  await inBatches(ctx.db, scope.workspaceId, async (tx) => {
    if (await releaseSome(tx, await findQueueIds(tx, name))) return MORE;
    const pool = await lockWorkPool(tx, { name });
    if (pool === null) throw poolNotFound(name);
    const queues = await lockQueuesOfPool(tx, pool.id);
    await releaseRest(
      tx,
      queues.map(({ id }) => id),
    );
    const storage = storageOf(pool);
    const defaultQueue = queues.find(({ id }) => id === pool.default_queue_id) ?? null;
    for (const queue of queues) {
      const event = workQueueEvent("deleted", { queue, pool }, { occurred: now });
      await emitResourceEvent(ctx, tx, event);
    }
    await removeWorkPoolRow(tx, pool.id);
    tx.notify(poolTopic(pool.id));
    const event = workPoolEvent("deleted", pool, { occurred: now, defaultQueue, storage });
    await emitResourceEvent(ctx, tx, event);
    return undefined;
  });
}

function withChanges(row: WorkPoolRow, changes: WorkPoolUpdate): WorkPoolRow {
  const { storage_configuration: storage, ...others } = changes;
  const changed = WORK_POOLS.changed(row, others);
  return storage === undefined
    ? changed
    : { ...changed, storage_configuration: storageText(storage ?? {}) };
}

/** Pausing has events of its own. */
function changesOf(before: WorkPoolRow, after: WorkPoolRow): Changes {
  const told = [
    ["description", (row: WorkPoolRow) => row.description],
    ["base_job_template", (row: WorkPoolRow) => readJson(row.base_job_template) as unknown],
    ["concurrency_limit", (row: WorkPoolRow) => row.concurrency_limit],
    ["storage_configuration", (row: WorkPoolRow) => readJson(row.storage_configuration) as unknown],
  ] as const;
  return Object.fromEntries(
    told
      .filter(([field]) => before[field] !== after[field])
      .map(([field, value]) => [field, { from: value(before), to: value(after) }]),
  );
}

async function about(tx: Transaction, pool: WorkPoolRow) {
  const queues = await lockQueuesOfPool(tx, pool.id);
  const defaultQueue = queues.find(({ id }) => id === pool.default_queue_id) ?? null;
  return { defaultQueue, storage: storageOf(pool) };
}

function storageOf(pool: WorkPoolRow): string | null {
  const storage = JSON.parse(pool.storage_configuration) as WorkPoolStorage;
  return storage.default_result_storage_block_id ?? null;
}

async function recordOf(tx: Transaction, name: string): Promise<JsonText<WorkPool>> {
  const record = await findWorkPool(tx, name);
  if (record === null) throw poolNotFound(name);
  return record;
}

/** The blocks in it must be there, and their values fit, too. */
async function assertTemplate(
  ctx: OrchestratorContext,
  scope: Scope,
  template: JsonObject,
): Promise<void> {
  const expanded = await expandTemplate(ctx, ctx.db.in(scope.workspaceId), template);
  const problem = await baseJobTemplateProblem(
    ctx.compute.for(scope),
    expanded,
    ctx.dialect.problemWords,
  );
  if (problem === null) return;
  const loc = ["body", "base_job_template"];
  throw new InvalidRequestError([{ type: "value_error", loc, msg: `Value error, ${problem}` }]);
}

function reserved(): AppError {
  return new AppError(
    "forbidden",
    "Work pools whose names begin with `prefect` belong to the system and cannot be made, changed or deleted",
  );
}

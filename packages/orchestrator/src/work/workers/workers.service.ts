import type { Worker, WorkerHeartbeat, WorkerSort } from "@orchestrator/contract";
import { listJson } from "@orchestrator/kernel/lists";
import { AppError } from "@orchestrator/kernel/pure";
import type { Scope } from "@orchestrator/kernel/scope";
import type { JsonText } from "@orchestrator/kernel/storage";
import type { OrchestratorContext } from "../../context.ts";
import { poolNotFound } from "../pools/queue-assignment.service.ts";
import { findWorkPoolId } from "../pools/work-pools.store.ts";
import { lockPoolNotReady } from "../pools/work-readiness.store.ts";
import { changePoolStatus } from "../pools/work-status.service.ts";
import { WORKER_LIST } from "./workers.filter.ts";
import { lockPoolId, removeWorkerRow, upsertWorker } from "./workers.store.ts";

/** Writes down that a worker lives, which also makes its pool ready; tells the worker's id. */
export async function recordHeartbeat(
  ctx: OrchestratorContext,
  scope: Scope,
  { poolName, heartbeat }: { readonly poolName: string; readonly heartbeat: WorkerHeartbeat },
): Promise<string> {
  const now = ctx.clock.now();
  const id = ctx.ids.uuid7();
  return ctx.db.write(scope.workspaceId, async (tx) => {
    const pool = await lockPoolId(tx, poolName);
    if (pool === null) throw poolNotFound(poolName);
    const workerId = await upsertWorker(tx, {
      id,
      created: now,
      updated: now,
      work_pool_id: pool.id,
      name: heartbeat.name,
      last_heartbeat_time: now,
      heartbeat_interval_seconds: heartbeat.heartbeat_interval_seconds ?? null,
      status: "ONLINE",
    });
    if (pool.status === "NOT_READY") {
      const waiting = await lockPoolNotReady(tx, pool.id);
      if (waiting !== null) await changePoolStatus(ctx, tx, { pool: waiting, status: "READY" });
    }
    return workerId;
  });
}

export interface WorkerPage {
  readonly filter: Readonly<Record<string, unknown>> | undefined;
  readonly sort: WorkerSort | undefined;
  readonly limit: number;
  readonly offset: number;
}

export async function listWorkers(
  ctx: OrchestratorContext,
  scope: Scope,
  { poolName, page }: { readonly poolName: string; readonly page: WorkerPage },
): Promise<JsonText<Worker[]>> {
  const queries = ctx.db.in(scope.workspaceId);
  const poolId = await findWorkPoolId(queries, poolName);
  if (poolId === null) throw poolNotFound(poolName);
  const { filter, sort, limit, offset } = page;
  return listJson<Worker>(queries, WORKER_LIST, {
    filter: { pool: { id: { any_: [poolId] } }, worker: filter },
    sort,
    limit,
    offset,
    now: ctx.clock.now(),
  });
}

export async function deleteWorker(
  ctx: OrchestratorContext,
  scope: Scope,
  { poolName, name }: { readonly poolName: string; readonly name: string },
): Promise<void> {
  await ctx.db.write(scope.workspaceId, async (tx) => {
    const poolId = await findWorkPoolId(tx, poolName);
    if (poolId === null) throw poolNotFound(poolName);
    if (await removeWorkerRow(tx, { poolId, name })) return;
    throw new AppError("not_found", `Worker ${name} not found in work pool ${poolName}`);
  });
}

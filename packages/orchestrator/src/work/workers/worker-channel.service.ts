import {
  CLEANUP_CAPABILITY,
  CLEANUP_KIND,
  WORKER_CHANNEL_CAPABILITIES,
  type WorkerHello,
  type WorkPool,
  type WorkPoolCreate,
} from "@orchestrator/contract";
import { readJson } from "@orchestrator/exact-json";
import { isAppError } from "@orchestrator/kernel/pure";
import type { Scope } from "@orchestrator/kernel/scope";
import type { JsonText } from "@orchestrator/kernel/storage";
import type { OrchestratorContext } from "../../context.ts";
import { poolNotFound } from "../pools/queue-assignment.service.ts";
import { isReservedPoolName } from "../pools/work-pools.rules.ts";
import { createWorkPool, updateWorkPool } from "../pools/work-pools.service.ts";
import { findWorkPool } from "../pools/work-pools.store.ts";
import { findServedQueues } from "./worker-channel.store.ts";
import { recordHeartbeat } from "./workers.service.ts";

/** A pool as it is shown to a worker. */
export interface ShownPool {
  readonly json: JsonText<WorkPool>;
  readonly pool: WorkPool;
}

export interface Welcome extends ShownPool {
  readonly queues: readonly { readonly id: string; readonly name: string }[];
  readonly accepted: readonly string[];
  readonly rejected: readonly string[];
  /** Of how much infrastructure the worker is told at once; 0 where it wants none. */
  readonly cleanups: number;
}

const MOST_CLEANUPS = 20;

/**
 * Takes a worker in: its pool is made if it wants that and may, is given the worker's template
 * where it has none, and the worker is online.
 */
export async function welcomeWorker(
  ctx: OrchestratorContext,
  scope: Scope,
  { poolName: name, hello }: { readonly poolName: string; readonly hello: WorkerHello },
): Promise<Welcome> {
  const { default_base_job_template: template = {} } = hello;
  let shown = await findWorkerPool(ctx, scope, name);
  // A worker's channel takes no more than the right to run; what its pool is takes the right to
  // change things.
  const mayChange = scope.caller.isKeptFromChanges !== true && !isReservedPoolName(name);
  if (shown === null && hello.create_pool_if_not_found === true && mayChange) {
    await makePool(ctx, scope, { name, type: hello.worker_type, base_job_template: template });
    shown = await findWorkerPool(ctx, scope, name);
  }
  if (shown === null) throw poolNotFound(name);
  if (isEmpty(shown.pool.base_job_template) && !isEmpty(template) && mayChange) {
    await updateWorkPool(ctx, scope, { name, changes: { base_job_template: template } });
  }
  await recordHeartbeat(ctx, scope, {
    poolName: name,
    heartbeat: {
      name: hello.worker_name,
      heartbeat_interval_seconds: hello.heartbeat_interval_seconds,
    },
  });
  const cleanups = cleanupsFor(hello);
  const accepted = new Set<string>(WORKER_CHANNEL_CAPABILITIES);
  if (cleanups > 0) accepted.add(CLEANUP_CAPABILITY);
  const queries = ctx.db.in(scope.workspaceId);
  return {
    ...((await findWorkerPool(ctx, scope, name)) ?? shown),
    queues: await findServedQueues(queries, {
      poolId: shown.pool.id,
      names: hello.work_queue_names ?? [],
    }),
    accepted: [...accepted],
    rejected: [...new Set(hello.requested_capabilities)].filter((word) => !accepted.has(word)),
    cleanups,
  };
}

function cleanupsFor(hello: WorkerHello): number {
  const isAsked = hello.requested_capabilities.includes(CLEANUP_CAPABILITY);
  const isHandled = hello.handled_cleanup_kinds?.includes(CLEANUP_KIND) ?? false;
  return isAsked && isHandled ? Math.min(hello.max_cleanup_concurrency ?? 1, MOST_CLEANUPS) : 0;
}

export async function findWorkerPool(
  ctx: OrchestratorContext,
  scope: Scope,
  name: string,
): Promise<ShownPool | null> {
  const json = await findWorkPool(ctx.db.in(scope.workspaceId), name);
  return json === null ? null : { json, pool: readJson(json) as WorkPool };
}

async function makePool(
  ctx: OrchestratorContext,
  scope: Scope,
  pool: WorkPoolCreate,
): Promise<void> {
  await createWorkPool(ctx, scope, pool).catch((error: unknown) => {
    // Another worker was quicker.
    if (!isAppError(error, "conflict")) throw error;
  });
}

const isEmpty = (value: object): boolean => Object.keys(value).length === 0;

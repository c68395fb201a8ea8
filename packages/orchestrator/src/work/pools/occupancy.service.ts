import type {
  WorkPoolConcurrency,
  WorkQueueConcurrency,
  WorkQueueHealth,
} from "@orchestrator/contract";
import { AppError } from "@orchestrator/kernel/pure";
import type { Scope } from "@orchestrator/kernel/scope";
import type { JsonText } from "@orchestrator/kernel/storage";
import type { OrchestratorContext } from "../../context.ts";
import {
  findLimitedPool,
  findOccupancy,
  listLimitedQueues,
  listSlots,
  type WatchedOccupancy,
} from "./occupancy.store.ts";
import { readOccupancy } from "./polling.store.ts";
import { poolNotFound } from "./queue-assignment.service.ts";
import { POLLED_WITHIN_SECONDS, wasPolledRecently } from "./work-status.rules.ts";
import { polledFrom } from "./work-status.service.ts";

interface Page {
  readonly page: number;
  readonly limit: number;
}

/** Who takes up the places of a pool, queue by queue. */
export async function readPoolConcurrency(
  ctx: OrchestratorContext,
  scope: Scope,
  { name, shownRuns, ...paging }: Page & { readonly name: string; readonly shownRuns: number },
): Promise<JsonText<WorkPoolConcurrency>> {
  const queries = ctx.db.in(scope.workspaceId);
  const now = ctx.clock.now();
  const pool = await findLimitedPool(queries, name);
  if (pool === null) throw poolNotFound(name);
  const [occupied, queues] = await Promise.all([
    readOccupancy(queries, pool.id),
    listLimitedQueues(queries, { poolId: pool.id, limit: paging.limit, offset: offsetOf(paging) }),
  ]);
  const details: string[] = [];
  for (const { id, name: queueName, concurrency_limit } of queues) {
    const active = occupied.get(id) ?? 0;
    const limit = active === 0 ? 0 : shownRuns;
    const runs = await listSlots(queries, "active", { queueId: id, now, limit, offset: 0 });
    details.push(
      `{"queue_id":"${id}","queue_name":${JSON.stringify(queueName)},"active_slots":${active},` +
        `"concurrency_limit":${concurrency_limit},"flow_runs":${runs},"flow_run_count":${active}}`,
    );
  }
  const active = [...occupied.values()].reduce((sum, count) => sum + count, 0);
  return (
    `{"active_slots":${active},"concurrency_limit":${pool.concurrency_limit},` +
    `"queues":[${details.join(",")}],${pagingJson(pool.queues, paging)}}`
  );
}

/** Who takes up the places of a queue; runs that are being cancelled still do. */
export async function readQueueConcurrency(
  ctx: OrchestratorContext,
  scope: Scope,
  { id, ...paging }: Page & { readonly id: string },
): Promise<JsonText<WorkQueueConcurrency>> {
  const queries = ctx.db.in(scope.workspaceId);
  const now = ctx.clock.now();
  const { occupied, concurrency_limit } = await readQueue(ctx, scope, id);
  const runs = await listSlots(queries, "occupying", {
    queueId: id,
    now,
    limit: paging.limit,
    offset: offsetOf(paging),
  });
  return (
    `{"active_slots":${occupied},"concurrency_limit":${concurrency_limit},` +
    `"flow_runs":${runs},${pagingJson(occupied, paging)}}`
  );
}

const MOST_LATE_RUNS = 0;

/** A queue is healthy when somebody polls it and nothing in it is late. */
export async function readQueueHealth(
  ctx: OrchestratorContext,
  scope: Scope,
  id: string,
): Promise<WorkQueueHealth> {
  const { late, last_polled } = await readQueue(ctx, scope, id);
  return {
    healthy: late <= MOST_LATE_RUNS && wasPolledRecently(last_polled, polledFrom(ctx)),
    late_runs_count: late,
    last_polled,
    health_check_policy: {
      maximum_late_runs: MOST_LATE_RUNS,
      maximum_seconds_since_last_polled: POLLED_WITHIN_SECONDS,
    },
  };
}

async function readQueue(
  ctx: OrchestratorContext,
  scope: Scope,
  id: string,
): Promise<WatchedOccupancy> {
  const queue = await findOccupancy(ctx.db.in(scope.workspaceId), id);
  if (queue === null) throw new AppError("not_found", `Work queue ${id} not found`);
  return queue;
}

const offsetOf = ({ page, limit }: Page): number => (page - 1) * limit;

function pagingJson(count: number, { page, limit }: Page): string {
  const pages = limit === 0 ? 0 : Math.ceil(count / limit);
  return `"count":${count},"limit":${limit},"pages":${pages},"page":${page}`;
}

// A run takes up a place in its queue and in its pool from the moment it is claimed. The runs
// themselves say how many places are taken, so there is nothing to give back: whatever ends a run,
// takes it away or takes its queue away leaves its place free.

import type { Queries, Transaction } from "@orchestrator/kernel/storage";
import { sql } from "kysely";
import { ACTIVE } from "../../db/tables/work-pools.table.ts";
import { statement } from "../../db/tables.ts";

/** A queue and its pool, of which at least one has a limit. */
export interface QueuePlace {
  readonly queueId: string;
  readonly poolId: string;
}

const lockPool = statement<{ poolId: string }>()((db, p) =>
  db
    .selectFrom("work_pools")
    .select("id")
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.poolId)
    .forNoKeyUpdate(),
);

const places = statement<QueuePlace & { runId: string }>()((db, p) =>
  db
    .selectFrom("work_queues")
    .innerJoin("work_pools", "work_pools.id", "work_queues.work_pool_id")
    .select((e) => [
      "work_queues.name as queue_name",
      "work_queues.concurrency_limit as queue_limit",
      "work_pools.name as pool_name",
      "work_pools.concurrency_limit as pool_limit",
      e
        .selectFrom("flow_runs")
        .select((run) => run.fn.countAll<number>().as("count"))
        .where("flow_runs.work_queue_id", "=", p.queueId)
        .where(sql<boolean>`${sql.raw(ACTIVE)}`)
        .where("flow_runs.id", "<>", p.runId)
        .where("work_queues.concurrency_limit", "is not", null)
        .as("in_queue"),
      e
        .selectFrom("work_queues as queue")
        .innerJoin("flow_runs", "flow_runs.work_queue_id", "queue.id")
        .select((run) => run.fn.countAll<number>().as("count"))
        .where("queue.work_pool_id", "=", p.poolId)
        .where(sql<boolean>`${sql.raw(ACTIVE)}`)
        .where("flow_runs.id", "<>", p.runId)
        .where("work_pools.concurrency_limit", "is not", null)
        .as("in_pool"),
    ])
    .where("work_queues.workspace_id", "=", p.workspace_id)
    .where("work_queues.id", "=", p.queueId),
);

/** How many other runs take up a place in a queue and its pool, where those have a limit. */
export async function countPlaces(
  queries: Queries,
  place: QueuePlace & { readonly runId: string },
) {
  const row = await queries.get(places, place);
  if (row === undefined) return null;
  const { in_queue, in_pool, ...limits } = row;
  return { ...limits, inQueue: in_queue ?? 0, inPool: in_pool ?? 0 };
}

/**
 * What keeps a run from a place, in words, or null when it may have one. Others that claim in the
 * pool wait until the transaction ends, so that each sees what the one before it took.
 */
export async function findFullPlace(
  tx: Transaction,
  place: QueuePlace & { readonly runId: string },
): Promise<string | null> {
  if (tx.dialect.locksRows) await tx.get(lockPool, { poolId: place.poolId });
  const counted = await countPlaces(tx, place);
  if (counted === null) return null;
  const { queue_name, queue_limit, pool_name, pool_limit, inQueue, inPool } = counted;
  if (queue_limit !== null && inQueue >= queue_limit)
    return `The work queue ${queue_name} runs ${inQueue} of ${queue_limit}`;
  if (pool_limit !== null && inPool >= pool_limit)
    return `The work pool ${pool_name} runs ${inPool} of ${pool_limit}`;
  return null;
}

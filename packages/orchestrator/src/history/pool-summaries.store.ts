// Work pools with what is going on in them, for a page that shows all of them at once.

import type { WorkPoolGlance } from "@orchestrator/contract";
import type { Queries } from "@orchestrator/kernel/storage";
import { sql } from "kysely";
import { statement } from "../db/tables.ts";

/** Each count is taken off a partial index of the few runs and workers that are in question. */
const pools = statement<{ limit: number }>()((db, p) =>
  db
    .selectFrom("work_pools as pool")
    .select((e) => [
      "pool.id",
      "pool.name",
      "pool.type",
      sql<string | null>`case when pool.is_paused then 'PAUSED' else pool.status end`.as("status"),
      e
        .selectFrom("workers")
        .select((w) => w.fn.countAll<number>().as("count"))
        .whereRef("workers.work_pool_id", "=", "pool.id")
        .where("workers.status", "=", sql.lit("ONLINE"))
        .as("online_workers"),
      sql<number>`(select count(*) from work_queues queue join flow_runs run on run.work_queue_id = queue.id
        where queue.work_pool_id = pool.id and run.state_type in ('PENDING', 'RUNNING', 'CANCELLING'))`.as(
        "running",
      ),
      sql<number>`(select count(*) from work_queues queue join flow_runs run on run.work_queue_id = queue.id
        where queue.work_pool_id = pool.id and run.state_type = 'SCHEDULED' and run.state_name = 'Late')`.as(
        "late",
      ),
    ])
    .where("pool.workspace_id", "=", p.workspace_id)
    .orderBy("pool.name")
    .limit(p.limit),
);

export async function listPoolSummaries(
  queries: Queries,
  limit: number,
): Promise<WorkPoolGlance[]> {
  return (await queries.all(pools, { limit })) as WorkPoolGlance[];
}

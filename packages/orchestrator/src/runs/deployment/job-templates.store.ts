import type { Queries } from "@orchestrator/kernel/storage";
import { statement } from "../../db/tables.ts";

const ofPool = statement<{ name: string }>()((db, p) =>
  db
    .selectFrom("work_pools")
    .select(["name", "base_job_template"])
    .where("workspace_id", "=", p.workspace_id)
    .where("name", "=", p.name),
);

const ofQueue = statement<{ queue_id: string }>()((db, p) =>
  db
    .selectFrom("work_queues")
    .innerJoin("work_pools", "work_pools.id", "work_queues.work_pool_id")
    .select(["work_pools.name", "work_pools.base_job_template"])
    .where("work_queues.workspace_id", "=", p.workspace_id)
    .where("work_queues.id", "=", p.queue_id),
);

/** A pool's name, and its job template as JSON text. */
export interface PoolTemplate {
  readonly name: string;
  readonly base_job_template: string;
}

/** The job template of a pool, or of the pool that a queue belongs to. */
export async function findJobTemplate(
  queries: Queries,
  of: { readonly pool: string } | { readonly queueId: string | null },
): Promise<PoolTemplate | null> {
  if ("queueId" in of && of.queueId === null) return null;
  const row =
    "pool" in of
      ? await queries.get(ofPool, { name: of.pool })
      : await queries.get(ofQueue, { queue_id: of.queueId ?? "" });
  return row ?? null;
}

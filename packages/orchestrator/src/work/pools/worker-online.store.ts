import type { Queries } from "@orchestrator/kernel/storage";
import { sql } from "kysely";
import { statement } from "../../db/tables.ts";

const online = statement<{ poolId: string }>()((db, p) =>
  db
    .selectFrom("workers")
    .select("id")
    .where("workspace_id", "=", p.workspace_id)
    .where("work_pool_id", "=", p.poolId)
    .where("status", "=", sql.lit("ONLINE"))
    .limit(1),
);

export async function hasWorkerOnline(queries: Queries, poolId: string): Promise<boolean> {
  return (await queries.get(online, { poolId })) !== undefined;
}

import type { Database } from "@orchestrator/kernel/storage";
import { systemStatement } from "../db/tables.ts";

const selectExpired = systemStatement<{ now: string; limit: number }>()((db, p) =>
  db
    .selectFrom("concurrency_leases")
    .select(["id", "workspace_id"])
    .where("expires", "<=", p.now)
    .orderBy("expires")
    .limit(p.limit),
);

/** Leases of any workspace that have run out, the oldest first. */
export async function listExpiredLeases(
  db: Database,
  request: { readonly now: string; readonly limit: number },
): Promise<{ readonly id: string; readonly workspace_id: string }[]> {
  return db.system.all(selectExpired, request);
}

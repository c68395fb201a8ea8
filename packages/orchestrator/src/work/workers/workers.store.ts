import { type Dialect, rowSql, type Transaction } from "@orchestrator/kernel/storage";
import { type RawBuilder, sql } from "kysely";
import { isSilent, WORKERS, type WorkerRow } from "../../db/tables/workers.table.ts";
import { statement, systemStatement } from "../../db/tables.ts";

const hold = statement<{ name: string }>()((db, p, dialect) =>
  db
    .selectFrom("work_pools")
    .select(["id", "status"])
    .where("workspace_id", "=", p.workspace_id)
    .where("name", "=", p.name)
    .$if(dialect.locksRows, (query) => query.forKeyShare()),
);

/** A pool that cannot be deleted before the transaction ends. */
export async function lockPoolId(
  tx: Transaction,
  name: string,
): Promise<{ readonly id: string; readonly status: string | null } | null> {
  return (await tx.get(hold, { name })) ?? null;
}

const upsert = statement<WorkerRow>()((db, p) =>
  db
    .insertInto("workers")
    .values(WORKERS.values(p))
    .onConflict((conflict) =>
      conflict.columns(["work_pool_id", "name"]).doUpdateSet((e) => ({
        updated: e.ref("excluded.updated"),
        last_heartbeat_time: e.ref("excluded.last_heartbeat_time"),
        heartbeat_interval_seconds: e.ref("excluded.heartbeat_interval_seconds"),
        status: e.ref("excluded.status"),
      })),
    )
    .returning("workers.id"),
);

/** Writes a worker down, or that it lives; tells its id. */
export async function upsertWorker(tx: Transaction, row: WorkerRow): Promise<string> {
  return (await tx.get(upsert, row))?.id ?? row.id;
}

const deleteWorkerRow = statement<{ poolId: string; name: string }>()((db, p) =>
  db
    .deleteFrom("workers")
    .where("workspace_id", "=", p.workspace_id)
    .where("work_pool_id", "=", p.poolId)
    .where("name", "=", p.name),
);

/** Tells whether there was one. */
export async function removeWorkerRow(
  tx: Transaction,
  key: { readonly poolId: string; readonly name: string },
): Promise<boolean> {
  return (await tx.run(deleteWorkerRow, key)) === 1;
}

/** Nothing has been heard of a worker for too long. */
export const isSilentSince = (dialect: Dialect, now: string): RawBuilder<boolean> =>
  isSilent(rowSql(dialect, "workers", sql`${now}`));

/** The workspaces in which a worker has fallen silent. */
export const workspacesWithSilent = systemStatement<{ now: string }>()((db, p, dialect) =>
  db
    .selectFrom("workers")
    .select("workspace_id")
    .distinct()
    .where("status", "=", sql.lit("ONLINE"))
    .where(isSilentSince(dialect, p.now)),
);

const silence = statement<{ now: string }>()((db, p, dialect) =>
  db
    .updateTable("workers")
    .set({ status: "OFFLINE" })
    .where("workspace_id", "=", p.workspace_id)
    .where("status", "=", sql.lit("ONLINE"))
    .where(isSilentSince(dialect, p.now)),
);

/** Workers that have missed too many heartbeats are offline. */
export async function markSilentWorkers(tx: Transaction, now: string): Promise<number> {
  return tx.run(silence, { now });
}

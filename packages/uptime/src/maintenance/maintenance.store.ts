import { MAX_WINDOWS } from "@orchestrator/contract";
import {
  type Database,
  pick,
  type Queries,
  type SystemTransaction,
  type Transaction,
} from "@orchestrator/kernel/storage";
import { sql } from "kysely";
import type { MaintenanceRow } from "../db/tables/maintenance.table.ts";
import { statement, systemStatement } from "../db/tables.ts";

const CHANGEABLE = [
  "updated_at",
  "name",
  "description",
  "monitor_ids",
  "tags",
  "all_monitors",
  "starts_at",
  "ends_at",
  "schedule",
  "timezone",
  "duration",
  "enabled",
  "finished_at",
  "told_start",
] as const satisfies readonly (keyof MaintenanceRow)[];

const COLUMNS = [
  "id",
  "created_at",
  ...CHANGEABLE,
] as const satisfies readonly (keyof MaintenanceRow)[];

const insert = statement<MaintenanceRow>()((db, p) =>
  db
    .insertInto("maintenance_windows")
    .values({ workspace_id: p.workspace_id, ...pick(p, COLUMNS) }),
);

export async function insertWindow(tx: Transaction, row: MaintenanceRow): Promise<void> {
  await tx.run(insert, row);
}

const selectAll = statement()((db, p) =>
  db
    .selectFrom("maintenance_windows")
    .select(COLUMNS)
    .where("workspace_id", "=", p.workspace_id)
    .orderBy("created_at")
    .orderBy("id")
    .limit(sql.lit(MAX_WINDOWS)),
);

/** All of them, the oldest first. */
export async function listWindows(queries: Queries): Promise<MaintenanceRow[]> {
  return (await queries.all(selectAll, {})).map(asWritten);
}

const countAll = statement()((db, p) =>
  db
    .selectFrom("maintenance_windows")
    .select((e) => e.fn.countAll<number>().as("count"))
    .where("workspace_id", "=", p.workspace_id),
);

export async function countWindows(queries: Queries): Promise<number> {
  return (await queries.get(countAll, {}))?.count ?? 0;
}

const selectOne = statement<{ id: string }>()((db, p) =>
  db
    .selectFrom("maintenance_windows")
    .select(COLUMNS)
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id),
);

export async function findWindow(queries: Queries, id: string): Promise<MaintenanceRow | null> {
  const row = await queries.get(selectOne, { id });
  return row === undefined ? null : asWritten(row);
}

const lockOne = statement<{ id: string }>()((db, p, dialect) =>
  db
    .selectFrom("maintenance_windows")
    .select(COLUMNS)
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id)
    .$if(dialect.locksRows, (query) => query.forUpdate()),
);

/** The row, held until the transaction ends, so that what is decided from it stays true. */
export async function lockWindow(tx: Transaction, id: string): Promise<MaintenanceRow | null> {
  const row = await tx.get(lockOne, { id });
  return row === undefined ? null : asWritten(row);
}

const update = statement<Omit<MaintenanceRow, "created_at">>()((db, p) =>
  db
    .updateTable("maintenance_windows")
    .set(pick(p, CHANGEABLE))
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id),
);

export async function updateWindow(tx: Transaction, row: MaintenanceRow): Promise<void> {
  await tx.run(update, row);
}

const deleteMaintenanceWindowRow = statement<{ id: string }>()((db, p) =>
  db
    .deleteFrom("maintenance_windows")
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id),
);

export async function removeWindow(tx: Transaction, id: string): Promise<void> {
  await tx.run(deleteMaintenanceWindowRow, { id });
}

const unsettled = systemStatement()((db) =>
  db
    .selectFrom("maintenance_windows")
    .select(["workspace_id", ...COLUMNS])
    .where((e) => e.or([e("enabled", "=", true), e("told_start", "is not", null)])),
);

/** Windows of all workspaces that may have something to tell. */
export async function listWindowsDueForEvents({ system }: Pick<Database, "system">) {
  const rows = await system.all(unsettled, {});
  return rows.map(({ workspace_id, ...row }) => ({ workspace_id, row: asWritten(row) }));
}

const removePast = systemStatement<{ before: string; limit: number }>()((db, p) =>
  db
    .deleteFrom("maintenance_windows")
    .where(
      "id",
      "in",
      db
        .selectFrom("maintenance_windows")
        .select("id")
        .where("ends_at", "is not", null)
        .where("ends_at", "<", p.before)
        .where("told_start", "is", null)
        .limit(p.limit),
    ),
);

/** Windows that came once and are long over; tells how many went. */
export function removePastWindows(
  tx: SystemTransaction,
  page: { readonly before: string; readonly limit: number },
): Promise<number> {
  return tx.run(removePast, page);
}

/** The database may space JSON its own way; decisions compare it with ours. */
function asWritten(row: MaintenanceRow): MaintenanceRow {
  return {
    ...row,
    monitor_ids: JSON.stringify(JSON.parse(row.monitor_ids)),
    tags: JSON.stringify(JSON.parse(row.tags)),
  };
}

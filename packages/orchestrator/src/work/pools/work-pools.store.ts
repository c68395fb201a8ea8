import type { WorkPool } from "@orchestrator/contract";
import {
  type JsonText,
  type Queries,
  recordSql,
  type Transaction,
} from "@orchestrator/kernel/storage";
import { WORK_POOLS, type WorkPoolRow } from "../../db/tables/work-pools.table.ts";
import { statement } from "../../db/tables.ts";

const insert = statement<WorkPoolRow>()((db, p) =>
  db
    .insertInto("work_pools")
    .values(WORK_POOLS.values(p))
    .onConflict((conflict) => conflict.columns(["workspace_id", "name"]).doNothing()),
);

/** Tells whether the name was still free. */
export async function insertWorkPool(tx: Transaction, row: WorkPoolRow): Promise<boolean> {
  return (await tx.run(insert, row)) === 1;
}

const recordByName = statement<{ name: string }>()((db, p, dialect) =>
  db
    .selectFrom("work_pools")
    .select(recordSql(dialect, { fields: WORK_POOLS.fields, table: "work_pools" }).as("json"))
    .where("workspace_id", "=", p.workspace_id)
    .where("name", "=", p.name),
);

export async function findWorkPool(
  queries: Queries,
  name: string,
): Promise<JsonText<WorkPool> | null> {
  return (await queries.get(recordByName, { name }))?.json ?? null;
}

const selectId = statement<{ name: string }>()((db, p) =>
  db
    .selectFrom("work_pools")
    .select("id")
    .where("workspace_id", "=", p.workspace_id)
    .where("name", "=", p.name),
);

export async function findWorkPoolId(queries: Queries, name: string): Promise<string | null> {
  return (await queries.get(selectId, { name }))?.id ?? null;
}

const lockBy = (column: "id" | "name") =>
  statement<{ key: string }>()((db, p, dialect) =>
    db
      .selectFrom("work_pools")
      .select(WORK_POOLS.columns)
      .where("workspace_id", "=", p.workspace_id)
      .where(column, "=", p.key)
      .$if(dialect.locksRows, (query) => query.forUpdate()),
  );
const lockById = lockBy("id");
const lockByName = lockBy("name");

/**
 * The row, held until the transaction ends. Whoever changes the queues of a pool holds the pool
 * first.
 */
export async function lockWorkPool(
  tx: Transaction,
  key: { readonly id: string } | { readonly name: string },
): Promise<WorkPoolRow | null> {
  const row =
    "id" in key
      ? await tx.get(lockById, { key: key.id })
      : await tx.get(lockByName, { key: key.name });
  return row ?? null;
}

const update = statement<WorkPoolRow>()((db, p) =>
  db
    .updateTable("work_pools")
    .set(WORK_POOLS.changes(p))
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id),
);

export async function updateWorkPoolRow(tx: Transaction, row: WorkPoolRow): Promise<void> {
  await tx.run(update, row);
}

const deleteWorkPoolRow = statement<{ id: string }>()((db, p) =>
  db.deleteFrom("work_pools").where("workspace_id", "=", p.workspace_id).where("id", "=", p.id),
);

/** Its queues and workers go with it. */
export async function removeWorkPoolRow(tx: Transaction, id: string): Promise<void> {
  await tx.run(deleteWorkPoolRow, { id });
}

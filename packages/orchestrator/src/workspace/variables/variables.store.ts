import type { Variable } from "@orchestrator/contract";
import {
  type JsonText,
  type Queries,
  recordSql,
  type Transaction,
} from "@orchestrator/kernel/storage";
import { VARIABLES, type VariableRow } from "../../db/tables/variables.table.ts";
import { statement } from "../../db/tables.ts";

/** A variable is found by its id or by its name. */
export type VariableKey = { readonly id: string } | { readonly name: string };

const insert = statement<VariableRow>()((db, p) =>
  db
    .insertInto("variables")
    .values(VARIABLES.values(p))
    .onConflict((conflict) => conflict.columns(["workspace_id", "name"]).doNothing()),
);

/** Tells whether the name was still free. */
export async function insertVariable(tx: Transaction, row: VariableRow): Promise<boolean> {
  return (await tx.run(insert, row)) === 1;
}

const recordBy = (column: "id" | "name") =>
  statement<{ key: string }>()((db, p, dialect) =>
    db
      .selectFrom("variables")
      .select(recordSql(dialect, { fields: VARIABLES.fields, table: "variables" }).as("json"))
      .where("workspace_id", "=", p.workspace_id)
      .where(column, "=", p.key),
  );
const recordById = recordBy("id");
const recordByName = recordBy("name");

export async function findVariable(
  queries: Queries,
  key: VariableKey,
): Promise<JsonText<Variable> | null> {
  const row =
    "id" in key
      ? await queries.get(recordById, { key: key.id })
      : await queries.get(recordByName, { key: key.name });
  return row?.json ?? null;
}

const lockBy = (column: "id" | "name") =>
  statement<{ key: string }>()((db, p, dialect) =>
    db
      .selectFrom("variables")
      .select(VARIABLES.columns)
      .where("workspace_id", "=", p.workspace_id)
      .where(column, "=", p.key)
      .$if(dialect.locksRows, (query) => query.forUpdate()),
  );
const lockById = lockBy("id");
const lockByName = lockBy("name");

/** The row, held until the transaction ends, so that what is decided from it stays true. */
export async function lockVariable(tx: Transaction, key: VariableKey): Promise<VariableRow | null> {
  const row =
    "id" in key
      ? await tx.get(lockById, { key: key.id })
      : await tx.get(lockByName, { key: key.name });
  // The database may space JSON its own way; decisions compare it with ours.
  return row === undefined ? null : { ...row, tags: JSON.stringify(JSON.parse(row.tags)) };
}

const update = statement<VariableRow>()((db, p) =>
  db
    .updateTable("variables")
    .set(VARIABLES.changes(p))
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id),
);

/** Throws `conflict` when the new name is taken. */
export async function updateVariableRow(tx: Transaction, row: VariableRow): Promise<void> {
  await tx.run(update, row);
}

const deleteVariableRow = statement<{ id: string }>()((db, p) =>
  db.deleteFrom("variables").where("workspace_id", "=", p.workspace_id).where("id", "=", p.id),
);

export async function removeVariableRow(tx: Transaction, id: string): Promise<void> {
  await tx.run(deleteVariableRow, { id });
}

import type { SavedSearch } from "@orchestrator/contract";
import {
  type JsonText,
  type Queries,
  recordSql,
  type Transaction,
} from "@orchestrator/kernel/storage";
import { SAVED_SEARCHES, type SavedSearchRow } from "../../db/tables/saved-searches.table.ts";
import { statement } from "../../db/tables.ts";

const upsert = statement<SavedSearchRow>()((db, p) =>
  db
    .insertInto("saved_searches")
    .values(SAVED_SEARCHES.values(p))
    .onConflict((conflict) =>
      conflict.columns(["workspace_id", "name"]).doUpdateSet((e) => ({
        filters: e.ref("excluded.filters"),
        updated: e.ref("excluded.updated"),
      })),
    )
    .returning(["id", "created"]),
);

/** Replaces the search of the same name; returns the id and birth of the one that is stored now. */
export async function upsertSavedSearch(
  tx: Transaction,
  row: SavedSearchRow,
): Promise<Pick<SavedSearchRow, "id" | "created">> {
  const stored = await tx.get(upsert, row);
  return stored ?? row;
}

const recordById = statement<{ id: string }>()((db, p, dialect) =>
  db
    .selectFrom("saved_searches")
    .select(
      recordSql(dialect, { fields: SAVED_SEARCHES.fields, table: "saved_searches" }).as("json"),
    )
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id),
);

export async function findSavedSearch(
  queries: Queries,
  id: string,
): Promise<JsonText<SavedSearch> | null> {
  const row = await queries.get(recordById, { id });
  return row?.json ?? null;
}

const deleteSavedSearchRow = statement<{ id: string }>()((db, p) =>
  db.deleteFrom("saved_searches").where("workspace_id", "=", p.workspace_id).where("id", "=", p.id),
);

/** Tells whether there was one. */
export async function removeSavedSearchRow(tx: Transaction, id: string): Promise<boolean> {
  return (await tx.run(deleteSavedSearchRow, { id })) === 1;
}

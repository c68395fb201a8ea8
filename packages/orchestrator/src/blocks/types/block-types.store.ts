import type { BlockType } from "@orchestrator/contract";
import {
  type JsonText,
  type Queries,
  recordSql,
  type Transaction,
} from "@orchestrator/kernel/storage";
import { BLOCK_TYPES, type BlockTypeRow } from "../../db/tables/block-types.table.ts";
import { statement } from "../../db/tables.ts";

/** A block type is found by its id or by its slug. */
export type BlockTypeKey = { readonly id: string } | { readonly slug: string };

const insert = statement<BlockTypeRow>()((db, p) =>
  db
    .insertInto("block_types")
    .values(BLOCK_TYPES.values(p))
    .onConflict((conflict) => conflict.columns(["workspace_id", "slug"]).doNothing()),
);

/** Tells whether the slug was still free. */
export async function insertBlockType(tx: Transaction, row: BlockTypeRow): Promise<boolean> {
  return (await tx.run(insert, row)) === 1;
}

const recordBy = (column: "id" | "slug") =>
  statement<{ key: string }>()((db, p, dialect) =>
    db
      .selectFrom("block_types")
      .select(recordSql(dialect, { fields: BLOCK_TYPES.fields, table: "block_types" }).as("json"))
      .where("workspace_id", "=", p.workspace_id)
      .where(column, "=", p.key),
  );
const recordById = recordBy("id");
const recordBySlug = recordBy("slug");

export async function findBlockType(
  queries: Queries,
  key: BlockTypeKey,
): Promise<JsonText<BlockType> | null> {
  const row =
    "id" in key
      ? await queries.get(recordById, { key: key.id })
      : await queries.get(recordBySlug, { key: key.slug });
  return row?.json ?? null;
}

const rowBy = (column: "id" | "slug") =>
  statement<{ key: string }>()((db, p) =>
    db
      .selectFrom("block_types")
      .select(BLOCK_TYPES.columns)
      .where("workspace_id", "=", p.workspace_id)
      .where(column, "=", p.key),
  );
const rowById = rowBy("id");
const rowBySlug = rowBy("slug");

export async function findBlockTypeRow(
  queries: Queries,
  key: BlockTypeKey,
): Promise<BlockTypeRow | null> {
  const row =
    "id" in key
      ? await queries.get(rowById, { key: key.id })
      : await queries.get(rowBySlug, { key: key.slug });
  return row ?? null;
}

const lock = statement<{ id: string }>()((db, p, dialect) =>
  db
    .selectFrom("block_types")
    .select(BLOCK_TYPES.columns)
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id)
    .$if(dialect.locksRows, (query) => query.forUpdate()),
);

/** The row, held until the transaction ends, so that what is decided from it stays true. */
export async function lockBlockType(tx: Transaction, id: string): Promise<BlockTypeRow | null> {
  return (await tx.get(lock, { id })) ?? null;
}

const update = statement<BlockTypeRow>()((db, p) =>
  db
    .updateTable("block_types")
    .set(BLOCK_TYPES.changes(p))
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id),
);

export async function updateBlockTypeRow(tx: Transaction, row: BlockTypeRow): Promise<void> {
  await tx.run(update, row);
}

const deleteBlockTypeRow = statement<{ id: string }>()((db, p) =>
  db.deleteFrom("block_types").where("workspace_id", "=", p.workspace_id).where("id", "=", p.id),
);

/** Its schemas and documents go with it. */
export async function removeBlockTypeRow(tx: Transaction, id: string): Promise<void> {
  await tx.run(deleteBlockTypeRow, { id });
}

const slugs = statement()((db, p) =>
  db.selectFrom("block_types").select(["id", "slug"]).where("workspace_id", "=", p.workspace_id),
);

/** Every type there is: slug → id. */
export async function findBlockTypeIds(queries: Queries): Promise<Map<string, string>> {
  const rows = await queries.all(slugs, {});
  return new Map(rows.map(({ id, slug }) => [slug, id]));
}

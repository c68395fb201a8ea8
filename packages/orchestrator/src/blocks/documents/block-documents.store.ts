import type { Queries, SystemTransaction, Transaction } from "@orchestrator/kernel/storage";
import { BLOCK_DOCUMENTS, type BlockDocumentRow } from "../../db/tables/block-documents.table.ts";
import { statement, systemStatement } from "../../db/tables.ts";

const insert = statement<BlockDocumentRow>()((db, p) =>
  db
    .insertInto("block_documents")
    .values(BLOCK_DOCUMENTS.values(p))
    .onConflict((conflict) => conflict.columns(["block_type_id", "name"]).doNothing()),
);

/** Tells whether the name was still free among the documents of the type. */
export async function insertDocument(tx: Transaction, row: BlockDocumentRow): Promise<boolean> {
  return (await tx.run(insert, row)) === 1;
}

const byId = statement<{ id: string }>()((db, p) =>
  db
    .selectFrom("block_documents")
    .select(BLOCK_DOCUMENTS.columns)
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id),
);

export async function findDocument(queries: Queries, id: string): Promise<BlockDocumentRow | null> {
  return (await queries.get(byId, { id })) ?? null;
}

const byName = statement<{ block_type_id: string; name: string }>()((db, p) =>
  db
    .selectFrom("block_documents")
    .select(BLOCK_DOCUMENTS.columns)
    .where("workspace_id", "=", p.workspace_id)
    .where("block_type_id", "=", p.block_type_id)
    .where("name", "=", p.name),
);

export async function findDocumentByName(
  queries: Queries,
  key: { readonly block_type_id: string; readonly name: string },
): Promise<BlockDocumentRow | null> {
  return (await queries.get(byName, key)) ?? null;
}

const lock = statement<{ id: string }>()((db, p, dialect) =>
  db
    .selectFrom("block_documents")
    .select(BLOCK_DOCUMENTS.columns)
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id)
    .$if(dialect.locksRows, (query) => query.forUpdate()),
);

/** The row, held until the transaction ends, so that what is decided from it stays true. */
export async function lockDocument(tx: Transaction, id: string): Promise<BlockDocumentRow | null> {
  return (await tx.get(lock, { id })) ?? null;
}

const update = statement<BlockDocumentRow>()((db, p) =>
  db
    .updateTable("block_documents")
    .set(BLOCK_DOCUMENTS.changes(p))
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id),
);

export async function updateDocumentRow(tx: Transaction, row: BlockDocumentRow): Promise<void> {
  await tx.run(update, row);
}

const deleteBlockDocumentRow = statement<{ id: string }>()((db, p) =>
  db
    .deleteFrom("block_documents")
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id),
);

/** Others that held it hold it no longer. */
export async function removeDocumentRow(tx: Transaction, id: string): Promise<void> {
  await tx.run(deleteBlockDocumentRow, { id });
}

const namedBy = (column: "block_type_id" | "block_schema_id") =>
  statement<{ key: string; after: string; limit: number }>()((db, p) =>
    db
      .selectFrom("block_documents")
      .select(BLOCK_DOCUMENTS.columns)
      .where("workspace_id", "=", p.workspace_id)
      .where(column, "=", p.key)
      .where("is_anonymous", "=", false)
      .where("id", ">", p.after)
      .orderBy("id")
      .limit(p.limit),
  );
const namedByType = namedBy("block_type_id");
const namedBySchema = namedBy("block_schema_id");

/** What documents hang on. */
export type DocumentsOf = { readonly blockTypeId: string } | { readonly blockSchemaId: string };

/** The next documents with a name of their own, in the order of their ids. */
export async function findNamedDocuments(
  queries: Queries,
  of: DocumentsOf,
  page: { readonly after: string; readonly limit: number },
): Promise<BlockDocumentRow[]> {
  return "blockTypeId" in of
    ? queries.all(namedByType, { key: of.blockTypeId, ...page })
    : queries.all(namedBySchema, { key: of.blockSchemaId, ...page });
}

const sealedOtherwise = systemStatement<{ key: string; after: string; limit: number }>()((db, p) =>
  db
    .selectFrom("block_documents")
    .select(["id", "data"])
    // Not `<>`: an index finds what lies on either side.
    .where((e) => e.or([e("sealed_with", "<", p.key), e("sealed_with", ">", p.key)]))
    .where("id", ">", p.after)
    .orderBy("id")
    .limit(p.limit),
);

/** The next documents, of all workspaces, that another key has sealed. */
export async function findSealedOtherwise(
  queries: Pick<SystemTransaction, "all">,
  page: { readonly key: string; readonly after: string; readonly limit: number },
): Promise<Pick<BlockDocumentRow, "id" | "data">[]> {
  return queries.all(sealedOtherwise, page);
}

type Resealed = Pick<BlockDocumentRow, "id" | "data" | "sealed_with"> & { readonly before: string };

const reseal = systemStatement<Resealed>()((db, p) =>
  db
    .updateTable("block_documents")
    .set({ data: p.data, sealed_with: p.sealed_with })
    .where("id", "=", p.id)
    .where("data", "=", p.before),
);

/** Puts the new seal in the place of the old one; false when the document was changed meanwhile. */
export async function replaceSeal(
  tx: Pick<SystemTransaction, "run">,
  resealed: Resealed,
): Promise<boolean> {
  return (await tx.run(reseal, resealed)) === 1;
}

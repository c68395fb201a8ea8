import {
  idRows,
  idTable,
  listedIds,
  type Queries,
  recordSql,
  type Transaction,
} from "@orchestrator/kernel/storage";
import { sql } from "kysely";
import {
  BLOCK_DOCUMENT_REFERENCES,
  BLOCK_DOCUMENTS,
  type BlockDocumentReferenceRow,
  type BlockDocumentRow,
} from "../../db/tables/block-documents.table.ts";
import { BLOCK_SCHEMAS } from "../../db/tables/block-schemas.table.ts";
import { BLOCK_TYPES } from "../../db/tables/block-types.table.ts";
import { statement } from "../../db/tables.ts";

const below = statement<{ ids: string }>()((db, p, dialect) =>
  db
    .withRecursive("reached(id)", (query) =>
      query
        .selectFrom(idTable(dialect, p.ids))
        .select("listed.id")
        .union(
          query
            .selectFrom("block_document_references as held")
            .innerJoin("reached", "reached.id", "held.parent_id")
            .select("held.reference_id as id"),
        ),
    )
    .selectFrom("block_document_references as held")
    .innerJoin("reached", "reached.id", "held.parent_id")
    .select(["held.parent_id", "held.name", "held.reference_id"])
    .where("held.workspace_id", "=", p.workspace_id)
    .orderBy("held.parent_id")
    .orderBy("held.name"),
);

/** Every reference of these documents, of those they hold, and so on. */
export async function findReferencesBelow(
  queries: Queries,
  ids: Iterable<string>,
): Promise<BlockDocumentReferenceRow[]> {
  return queries.all(below, { ids: idRows(ids) });
}

const above = statement<{ id: string }>()((db, p) =>
  db
    .withRecursive("reached(id)", (query) =>
      query
        .selectFrom("block_document_references as holding")
        .select("holding.parent_id as id")
        .where("holding.reference_id", "=", p.id)
        .union(
          query
            .selectFrom("block_document_references as holding")
            .innerJoin("reached", "reached.id", "holding.reference_id")
            .select("holding.parent_id as id"),
        ),
    )
    .selectFrom("block_documents")
    .innerJoin("reached", "reached.id", "block_documents.id")
    .select("block_documents.id")
    .where("block_documents.workspace_id", "=", p.workspace_id),
);

/** The documents that hold this one, directly or by way of others. */
export async function findReferencingDocuments(queries: Queries, id: string): Promise<string[]> {
  return (await queries.all(above, { id })).map((row) => row.id);
}

const hold = statement<{ now: string }>()((db, p) =>
  db
    .insertInto("block_reference_changes")
    .values({ workspace_id: p.workspace_id, changed: p.now })
    .onConflict((conflict) => conflict.column("workspace_id").doUpdateSet({ changed: p.now })),
);

/** From here to the end of the transaction nobody else in the workspace changes references. */
export async function lockReferences(tx: Transaction, now: string): Promise<void> {
  await tx.run(hold, { now });
}

const clear = statement<{ parent_id: string }>()((db, p) =>
  db
    .deleteFrom("block_document_references")
    .where("workspace_id", "=", p.workspace_id)
    .where("parent_id", "=", p.parent_id),
);

const add = statement<BlockDocumentReferenceRow>()((db, p) =>
  db.insertInto("block_document_references").values(BLOCK_DOCUMENT_REFERENCES.values(p)),
);

export async function replaceReferences(
  tx: Transaction,
  parentId: string,
  references: ReadonlyMap<string, string>,
): Promise<void> {
  await tx.run(clear, { parent_id: parentId });
  for (const [name, reference_id] of references)
    await tx.run(add, { parent_id: parentId, name, reference_id });
}

const rows = statement<{ ids: string }>()((db, p, dialect) =>
  db
    .selectFrom("block_documents")
    .select(BLOCK_DOCUMENTS.columns)
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "in", listedIds(dialect, p.ids)),
);

export async function findDocuments(
  queries: Queries,
  ids: Iterable<string>,
): Promise<BlockDocumentRow[]> {
  return queries.all(rows, { ids: idRows(ids) });
}

const presentIds = statement<{ ids: string }>()((db, p, dialect) =>
  db
    .selectFrom("block_documents")
    .select("id")
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "in", listedIds(dialect, p.ids)),
);

/** Which of these documents are there. */
export async function findPresentDocuments(
  queries: Queries,
  ids: Iterable<string>,
): Promise<ReadonlySet<string>> {
  const found = await queries.all(presentIds, { ids: idRows(ids) });
  return new Set(found.map(({ id }) => id));
}

const sizes = statement<{ ids: string }>()((db, p, dialect) =>
  db
    .selectFrom("block_documents")
    .select(["id", sql<number>`octet_length(data)`.as("bytes")])
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "in", listedIds(dialect, p.ids)),
);

/** How many bytes these documents hold themselves, sealed. */
export async function findDocumentSizes(
  queries: Queries,
  ids: Iterable<string>,
): Promise<Map<string, number>> {
  const found = await queries.all(sizes, { ids: idRows(ids) });
  return new Map(found.map(({ id, bytes }) => [id, bytes]));
}

const schemas = statement<{ ids: string }>()((db, p, dialect) =>
  db
    .selectFrom("block_schemas")
    .select(["id", "fields", "capabilities"])
    .select(recordSql(dialect, { fields: BLOCK_SCHEMAS.fields, table: "block_schemas" }).as("json"))
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "in", listedIds(dialect, p.ids)),
);

/** A schema, and its record as JSON. */
export interface SchemaRecord {
  readonly id: string;
  readonly fields: string;
  readonly capabilities: string;
  readonly json: string;
}

export async function findSchemaRecords(
  queries: Queries,
  ids: Iterable<string>,
): Promise<SchemaRecord[]> {
  return queries.all(schemas, { ids: idRows(ids) });
}

const types = statement<{ ids: string }>()((db, p, dialect) =>
  db
    .selectFrom("block_types")
    .select("id")
    .select(recordSql(dialect, { fields: BLOCK_TYPES.fields, table: "block_types" }).as("json"))
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "in", listedIds(dialect, p.ids)),
);

export async function findTypeRecords(
  queries: Queries,
  ids: Iterable<string>,
): Promise<{ readonly id: string; readonly json: string }[]> {
  return queries.all(types, { ids: idRows(ids) });
}

import type { BlockSchema } from "@orchestrator/contract";
import {
  type JsonText,
  type Queries,
  recordSql,
  type Transaction,
} from "@orchestrator/kernel/storage";
import { BLOCK_SCHEMAS, type BlockSchemaRow } from "../../db/tables/block-schemas.table.ts";
import { statement } from "../../db/tables.ts";

/** Within a type a schema is known by what it is and how its author calls it. */
export interface SchemaIdentity {
  readonly block_type_id: string;
  readonly checksum: string;
  readonly version: string;
}

const insert = statement<BlockSchemaRow>()((db, p) =>
  db
    .insertInto("block_schemas")
    .values(BLOCK_SCHEMAS.values(p))
    .onConflict((conflict) =>
      conflict.columns(["block_type_id", "checksum", "version"]).doNothing(),
    ),
);

/** Tells whether there was none like it yet. */
export async function insertBlockSchema(tx: Transaction, row: BlockSchemaRow): Promise<boolean> {
  return (await tx.run(insert, row)) === 1;
}

const RECORD = { fields: BLOCK_SCHEMAS.fields, table: BLOCK_SCHEMAS.name };

const byId = statement<{ id: string }>()((db, p, dialect) =>
  db
    .selectFrom("block_schemas")
    .select(recordSql(dialect, RECORD).as("json"))
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id),
);

export async function findBlockSchema(
  queries: Queries,
  id: string,
): Promise<JsonText<BlockSchema> | null> {
  return (await queries.get(byId, { id }))?.json ?? null;
}

const byIdentity = statement<SchemaIdentity>()((db, p, dialect) =>
  db
    .selectFrom("block_schemas")
    .select(recordSql(dialect, RECORD).as("json"))
    .where("workspace_id", "=", p.workspace_id)
    .where("block_type_id", "=", p.block_type_id)
    .where("checksum", "=", p.checksum)
    .where("version", "=", p.version),
);

export async function findSameSchema(
  queries: Queries,
  identity: SchemaIdentity,
): Promise<JsonText<BlockSchema> | null> {
  return (await queries.get(byIdentity, identity))?.json ?? null;
}

const byChecksum = (ofVersion: boolean) =>
  statement<{ checksum: string; version: string | null }>()((db, p, dialect) =>
    db
      .selectFrom("block_schemas")
      .select(recordSql(dialect, RECORD).as("json"))
      .where("workspace_id", "=", p.workspace_id)
      .where("checksum", "=", p.checksum)
      .$if(ofVersion, (query) => query.where("version", "=", p.version as string))
      .orderBy("created", "desc")
      .orderBy("id", "desc")
      .limit(1),
  );
const byChecksumOnly = byChecksum(false);
const byChecksumAndVersion = byChecksum(true);

/** The newest with this checksum, of the version where one is named. */
export async function findSchemaByChecksum(
  queries: Queries,
  { checksum, version }: { readonly checksum: string; readonly version: string | null },
): Promise<JsonText<BlockSchema> | null> {
  const query = version === null ? byChecksumOnly : byChecksumAndVersion;
  return (await queries.get(query, { checksum, version }))?.json ?? null;
}

const fieldsInType = statement<{ block_type_id: string; checksum: string }>()((db, p) =>
  db
    .selectFrom("block_schemas")
    .select("fields")
    .where("workspace_id", "=", p.workspace_id)
    .where("block_type_id", "=", p.block_type_id)
    .where("checksum", "=", p.checksum)
    .limit(1),
);

/** The JSON text of the fields with this checksum, where the type has them. */
export async function findFields(
  queries: Queries,
  key: { readonly block_type_id: string; readonly checksum: string },
): Promise<string | null> {
  return (await queries.get(fieldsInType, key))?.fields ?? null;
}

const COLUMNS = ["id", "fields", "block_type_id", "capabilities"] as const;
export type SchemaCore = Pick<BlockSchemaRow, (typeof COLUMNS)[number]>;

const coreById = statement<{ id: string }>()((db, p) =>
  db
    .selectFrom("block_schemas")
    .select(COLUMNS)
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id),
);

export async function findSchemaCore(queries: Queries, id: string): Promise<SchemaCore | null> {
  return (await queries.get(coreById, { id })) ?? null;
}

const newest = statement<{ block_type_id: string }>()((db, p) =>
  db
    .selectFrom("block_schemas")
    .select(COLUMNS)
    .where("workspace_id", "=", p.workspace_id)
    .where("block_type_id", "=", p.block_type_id)
    .orderBy("created", "desc")
    .orderBy("id", "desc")
    .limit(1),
);

export async function findNewestSchema(
  queries: Queries,
  blockTypeId: string,
): Promise<SchemaCore | null> {
  return (await queries.get(newest, { block_type_id: blockTypeId })) ?? null;
}

const deleteBlockSchemaRow = statement<{ id: string }>()((db, p) =>
  db.deleteFrom("block_schemas").where("workspace_id", "=", p.workspace_id).where("id", "=", p.id),
);

/** Its documents go with it. */
export async function removeBlockSchemaRow(tx: Transaction, id: string): Promise<void> {
  await tx.run(deleteBlockSchemaRow, { id });
}

const capabilities = statement()((db, p) =>
  db
    .selectFrom("block_schemas")
    .select("capabilities")
    .distinct()
    .where("workspace_id", "=", p.workspace_id),
);

/** Everything that any block can do. */
export async function findCapabilities(queries: Queries): Promise<string[]> {
  const rows = await queries.all(capabilities, {});
  const all = rows.flatMap((row) => JSON.parse(row.capabilities) as string[]);
  return [...new Set(all)].toSorted();
}

const identities = statement()((db, p) =>
  db
    .selectFrom("block_schemas")
    .innerJoin("block_types", "block_types.id", "block_schemas.block_type_id")
    .select(["block_types.slug", "block_schemas.checksum"])
    .where("block_schemas.workspace_id", "=", p.workspace_id),
);

/** Every schema there is, as `slug checksum`. */
export async function findKnownSchemas(queries: Queries): Promise<Set<string>> {
  const rows = await queries.all(identities, {});
  return new Set(rows.map(({ slug, checksum }) => `${slug} ${checksum}`));
}

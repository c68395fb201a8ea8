import {
  type BlockDocument,
  type BlockDocumentCreate,
  type BlockDocumentUpdate,
  type JsonObject,
  UNVERSIONED,
} from "@orchestrator/contract";
import { writeJson } from "@orchestrator/exact-json";
import { AppError } from "@orchestrator/kernel/pure";
import type { Scope } from "@orchestrator/kernel/scope";
import type { JsonText, Transaction } from "@orchestrator/kernel/storage";
import type { OrchestratorContext } from "../context.ts";
import type { BlockDocumentRow } from "../db/tables/block-documents.table.ts";
import type { BlockTypeRow } from "../db/tables/block-types.table.ts";
import { emitResourceEvent } from "../events/emit.ts";
import { addSchema, schemaNotFound } from "./block-schemas.service.ts";
import { blockDocumentEvent } from "./documents/block-documents.events.ts";
import {
  insertDocument,
  lockDocument,
  removeDocumentRow,
  updateDocumentRow,
} from "./documents/block-documents.store.ts";
import { changedData } from "./documents/changed-data.service.ts";
import { emitDeleted } from "./documents/deleted-documents.service.ts";
import { assertHoldersFit, putReferences } from "./documents/put-references.service.ts";
import { documentNotFound, documentsJson } from "./documents/read-documents.service.ts";
import { splitData } from "./documents/references.rules.ts";
import { sealData } from "./documents/sealed-data.ts";
import { secretsOf } from "./documents/secrets.rules.ts";
import {
  findNewestSchema,
  findSchemaCore,
  type SchemaCore,
} from "./schemas/block-schemas.store.ts";
import { findBlockTypeRow } from "./types/block-types.store.ts";

const MAX_DATA_CHARACTERS = 4 * 1024 * 1024;

export async function createDocument(
  ctx: OrchestratorContext,
  scope: Scope,
  { name, data = {}, is_anonymous = false, ...rest }: BlockDocumentCreate,
): Promise<JsonText<BlockDocument>> {
  if (!name && !is_anonymous)
    throw new AppError("invalid", "A block document needs a name unless it is anonymous");
  const { own, references } = splitData(data);
  assertSize(own);
  const now = ctx.clock.now();
  const id = ctx.ids.uuid4();
  const sealed = sealData(ctx.keyring, id, own);
  return ctx.db.write(scope.workspaceId, async (tx) => {
    const type = await findBlockTypeRow(tx, { id: rest.block_type_id });
    if (type === null)
      throw new AppError("not_found", `Block type ${rest.block_type_id} not found`);
    const schema = await schemaFor(ctx, tx, { type, schemaId: rest.block_schema_id ?? null });
    const row: BlockDocumentRow = {
      id,
      created: now,
      updated: now,
      name: name || `anonymous-${id}`,
      block_type_id: type.id,
      block_type_name: type.name,
      block_schema_id: schema.id,
      is_anonymous,
      ...sealed,
    };
    if (!(await insertDocument(tx, row)))
      throw new AppError(
        "conflict",
        `A block document named ${row.name} of the type ${type.slug} already exists`,
      );
    if (references.size > 0) await putReferences(tx, { id, references, now });
    await emitChange(ctx, tx, { verb: "created", row, schema, data: own });
    const [record] = await documentsJson(ctx, tx, { rows: [row], includeSecrets: false });
    if (record === undefined) throw documentNotFound(id);
    return record;
  });
}

/** What is the same afterwards is not an update and tells no one. */
export async function updateDocument(
  ctx: OrchestratorContext,
  scope: Scope,
  { id, changes }: { readonly id: string; readonly changes: BlockDocumentUpdate },
): Promise<void> {
  const now = ctx.clock.now();
  await ctx.db.write(scope.workspaceId, async (tx) => {
    const before = await lockDocument(tx, id);
    if (before === null) throw documentNotFound(id);
    const schemaId = changes.block_schema_id ?? before.block_schema_id;
    const schema = await findSchemaCore(tx, schemaId);
    if (schema === null) throw schemaNotFound(schemaId);
    assertSameType(schema, before.block_type_id);
    const { own, references, isChanged } = await changedData(ctx, tx, { row: before, changes });
    assertSize(own);
    if (!isChanged && schemaId === before.block_schema_id) return;
    const after = {
      ...before,
      updated: now,
      block_schema_id: schemaId,
      ...sealData(ctx.keyring, id, own),
    };
    await updateDocumentRow(tx, after);
    if (references !== null) await putReferences(tx, { id, references, now });
    else if (after.data.length > before.data.length) await assertHoldersFit(tx, id);
    await emitChange(ctx, tx, { verb: "updated", row: after, schema, data: own });
  });
}

export async function deleteDocument(
  ctx: OrchestratorContext,
  scope: Scope,
  id: string,
): Promise<void> {
  await ctx.db.write(scope.workspaceId, async (tx) => {
    const row = await lockDocument(tx, id);
    if (row === null) throw documentNotFound(id);
    await emitDeleted(ctx, tx, [row]);
    await removeDocumentRow(tx, id);
  });
}

/**
 * The schema that was named, or the newest of the type; a type without any gets one that describes
 * nothing.
 */
async function schemaFor(
  ctx: OrchestratorContext,
  tx: Transaction,
  { type, schemaId }: { readonly type: BlockTypeRow; readonly schemaId: string | null },
): Promise<SchemaCore> {
  if (schemaId !== null) {
    const named = await findSchemaCore(tx, schemaId);
    if (named === null) throw schemaNotFound(schemaId);
    assertSameType(named, type.id);
    return named;
  }
  const newest = await findNewestSchema(tx, type.id);
  if (newest !== null) return newest;
  await addSchema(ctx, tx, {
    block_type_id: type.id,
    fields: {
      title: type.name,
      type: "object",
      properties: {},
      block_type_slug: type.slug,
      block_schema_references: {},
      secret_fields: [],
    },
    capabilities: [],
    version: UNVERSIONED,
  });
  const added = await findNewestSchema(tx, type.id);
  if (added === null) throw new AppError("conflict", "The block type was deleted meanwhile");
  return added;
}

interface Change {
  readonly verb: "created" | "updated";
  readonly row: BlockDocumentRow;
  readonly schema: SchemaCore;
  readonly data: JsonObject;
}

/** Anonymous documents come and go unheard. */
async function emitChange(
  ctx: OrchestratorContext,
  tx: Transaction,
  { verb, row, schema, data }: Change,
): Promise<void> {
  if (row.is_anonymous) return;
  const event = blockDocumentEvent(verb, row, {
    data,
    secrets: secretsOf(JSON.parse(schema.fields) as JsonObject),
    capabilities: schema.capabilities,
    occurred: row.updated,
  });
  await emitResourceEvent(ctx, tx, event);
}

function assertSameType(schema: SchemaCore, blockTypeId: string): void {
  if (schema.block_type_id !== blockTypeId)
    throw new AppError(
      "bad_request",
      `Block schema ${schema.id} belongs to another block type than the document`,
    );
}

function assertSize(data: JsonObject): void {
  if (writeJson(data).length > MAX_DATA_CHARACTERS)
    throw new AppError(
      "too_large",
      `The data of a block document can take at most ${MAX_DATA_CHARACTERS} characters`,
    );
}

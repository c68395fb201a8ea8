import {
  type BlockSchema,
  type BlockSchemaCreate,
  type JsonObject,
  UNVERSIONED,
} from "@orchestrator/contract";
import { readJson, writeJson } from "@orchestrator/exact-json";
import { AppError } from "@orchestrator/kernel/pure";
import type { Scope } from "@orchestrator/kernel/scope";
import type { JsonText, Transaction } from "@orchestrator/kernel/storage";
import type { OrchestratorContext } from "../context.ts";
import { emitDocumentsDeleted } from "./documents/deleted-documents.service.ts";
import {
  findBlockSchema,
  findFields,
  findSameSchema,
  findSchemaByChecksum,
  findSchemaCore,
  insertBlockSchema,
  removeBlockSchemaRow,
} from "./schemas/block-schemas.store.ts";
import { checksumOf } from "./schemas/checksum.rules.ts";
import {
  definesBlock,
  MAX_NESTED_SCHEMAS,
  nestedFields,
  referenceKey,
  type SchemaReference,
  schemaReferences,
  tooManyNested,
  withNestedFields,
} from "./schemas/nested-schemas.rules.ts";
import { findBlockTypeRow } from "./types/block-types.store.ts";

export interface RegisteredSchema {
  readonly json: JsonText<BlockSchema>;
  readonly isNew: boolean;
}

/** Registers a schema, and those of the blocks within it; the same one again changes nothing. */
export async function createBlockSchema(
  ctx: OrchestratorContext,
  scope: Scope,
  { block_type_id, fields = {}, capabilities = [], version = UNVERSIONED }: BlockSchemaCreate,
): Promise<RegisteredSchema> {
  const identity = { block_type_id, checksum: checksumOf(fields), version };
  const defined = nestedFields(fields);
  return ctx.db.write(scope.workspaceId, async (tx) => {
    if ((await findBlockTypeRow(tx, { id: block_type_id })) === null)
      throw new AppError("not_found", `Block type ${block_type_id} not found`);
    const known = await findSameSchema(tx, identity);
    if (known !== null) return { json: known, isNew: false };
    const whole = await registerNested(ctx, tx, { fields, defined });
    const isNew = await addSchema(ctx, tx, { ...identity, fields: whole, capabilities });
    const json = await findSameSchema(tx, identity);
    if (json === null) throw new AppError("conflict", "The block type was deleted meanwhile");
    return { json, isNew };
  });
}

export interface NewSchema {
  readonly block_type_id: string;
  readonly fields: JsonObject;
  readonly capabilities: readonly string[];
  readonly version: string;
  /** Taken from the fields when left out. */
  readonly checksum?: string;
}

/** Tells whether the type had none like it yet. */
export async function addSchema(
  ctx: Pick<OrchestratorContext, "clock" | "ids">,
  tx: Transaction,
  { fields, capabilities, checksum = checksumOf(fields), ...rest }: NewSchema,
): Promise<boolean> {
  const now = ctx.clock.now();
  return insertBlockSchema(tx, {
    id: ctx.ids.uuid7(),
    created: now,
    updated: now,
    checksum,
    fields: writeJson(fields),
    capabilities: JSON.stringify([...new Set(capabilities)]),
    ...rest,
  });
}

interface Outer {
  readonly fields: JsonObject;
  /** What its definitions hold, by `slug checksum`. */
  readonly defined: ReadonlyMap<string, JsonObject>;
}

/**
 * Registers what is new among the schemas within, and returns the fields with all of them in their
 * definitions.
 */
async function registerNested(
  ctx: OrchestratorContext,
  tx: Transaction,
  { fields, defined }: Outer,
): Promise<JsonObject> {
  let whole = fields;
  const waiting = schemaReferences(fields);
  const seen = new Set<string>();
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const key = referenceKey(next);
    if (seen.has(key)) continue;
    if (seen.size === MAX_NESTED_SCHEMAS) throw tooManyNested();
    seen.add(key);
    const { nested, isKnown } = await findNested(tx, next, defined.get(key));
    if (!definesBlock(whole, next.slug)) whole = withNestedFields(whole, nested.fields);
    if (!isKnown) await addSchema(ctx, tx, { ...nested, capabilities: [], version: UNVERSIONED });
    waiting.push(...schemaReferences(nested.fields));
  }
  return whole;
}

async function findNested(
  tx: Transaction,
  { slug, checksum }: SchemaReference,
  given: JsonObject | undefined,
) {
  const type = await findBlockTypeRow(tx, { slug });
  if (type === null)
    throw new AppError(
      "conflict",
      `The schema holds a block of the type ${slug}, which does not exist: create that type first`,
    );
  const known = await findFields(tx, { block_type_id: type.id, checksum });
  const fields = known === null ? given : (readJson(known) as JsonObject);
  if (fields === undefined)
    throw new AppError(
      "conflict",
      `The schema holds a block of the type ${slug} whose schema ${checksum} is neither known nor among the definitions`,
    );
  return { nested: { block_type_id: type.id, checksum, fields }, isKnown: known !== null };
}

export async function readBlockSchema(
  ctx: OrchestratorContext,
  scope: Scope,
  id: string,
): Promise<JsonText<BlockSchema>> {
  const record = await findBlockSchema(ctx.db.in(scope.workspaceId), id);
  if (record === null) throw schemaNotFound(id);
  return record;
}

export async function readSchemaByChecksum(
  ctx: OrchestratorContext,
  scope: Scope,
  key: { readonly checksum: string; readonly version: string | null },
): Promise<JsonText<BlockSchema>> {
  const record = await findSchemaByChecksum(ctx.db.in(scope.workspaceId), key);
  if (record === null)
    throw new AppError("not_found", `No block schema with the checksum ${key.checksum} found`);
  return record;
}

/** Its documents go with it. */
export async function deleteBlockSchema(
  ctx: OrchestratorContext,
  scope: Scope,
  id: string,
): Promise<void> {
  await ctx.db.write(scope.workspaceId, async (tx) => {
    const schema = await findSchemaCore(tx, id);
    if (schema === null) throw schemaNotFound(id);
    const type = await findBlockTypeRow(tx, { id: schema.block_type_id });
    if (type?.is_protected)
      throw new AppError("forbidden", "Schemas of protected block types cannot be deleted.");
    await emitDocumentsDeleted(ctx, tx, { blockSchemaId: id });
    await removeBlockSchemaRow(tx, id);
  });
}

export function schemaNotFound(id: string): AppError {
  return new AppError("not_found", `Block schema ${id} not found`);
}

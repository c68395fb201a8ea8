import type { BlockType, BlockTypeCreate, BlockTypeUpdate } from "@orchestrator/contract";
import { AppError } from "@orchestrator/kernel/pure";
import type { Scope } from "@orchestrator/kernel/scope";
import type { JsonText } from "@orchestrator/kernel/storage";
import type { OrchestratorContext } from "../context.ts";
import type { BlockTypeRow } from "../db/tables/block-types.table.ts";
import { emitResourceEvent } from "../events/emit.ts";
import { emitDocumentsDeleted } from "./documents/deleted-documents.service.ts";
import { blockTypeEvent } from "./types/block-types.events.ts";
import {
  type BlockTypeKey,
  findBlockType,
  insertBlockType,
  lockBlockType,
  removeBlockTypeRow,
  updateBlockTypeRow,
} from "./types/block-types.store.ts";

/** Names of types that other products bring along begin like this. */
const RESERVED = "prefect";

export async function createBlockType(
  ctx: OrchestratorContext,
  scope: Scope,
  { name, slug, ...texts }: BlockTypeCreate,
): Promise<BlockType> {
  if (name.toLowerCase().startsWith(RESERVED))
    throw new AppError("forbidden", "Names of block types that begin with `prefect` are reserved");
  const now = ctx.clock.now();
  const row: BlockTypeRow = {
    id: ctx.ids.uuid4(),
    created: now,
    updated: now,
    name,
    slug,
    logo_url: texts.logo_url ?? null,
    documentation_url: texts.documentation_url ?? null,
    description: escapeHtml(texts.description),
    code_example: escapeHtml(texts.code_example),
    is_protected: false,
  };
  await ctx.db.write(scope.workspaceId, async (tx) => {
    if (!(await insertBlockType(tx, row)))
      throw new AppError("conflict", `A block type with the slug ${slug} already exists`);
    await emitResourceEvent(ctx, tx, blockTypeEvent("created", row, now));
  });
  return row;
}

export async function readBlockType(
  ctx: OrchestratorContext,
  scope: Scope,
  key: BlockTypeKey,
): Promise<JsonText<BlockType>> {
  const record = await findBlockType(ctx.db.in(scope.workspaceId), key);
  if (record === null) throw typeNotFound(key);
  return record;
}

/**
 * What is the same afterwards is not an update and tells no one: clients send their texts again and
 * again.
 */
export async function updateBlockType(
  ctx: OrchestratorContext,
  scope: Scope,
  { id, changes }: { readonly id: string; readonly changes: BlockTypeUpdate },
): Promise<void> {
  const now = ctx.clock.now();
  await ctx.db.write(scope.workspaceId, async (tx) => {
    const before = await lockBlockType(tx, id);
    if (before === null) throw typeNotFound({ id });
    const after: BlockTypeRow = { ...before, ...changes, updated: now };
    if (TEXTS.every((text) => before[text] === after[text])) return;
    await updateBlockTypeRow(tx, after);
    await emitResourceEvent(ctx, tx, blockTypeEvent("updated", after, now));
  });
}

/** Its schemas and documents go with it. */
export async function deleteBlockType(
  ctx: OrchestratorContext,
  scope: Scope,
  id: string,
): Promise<void> {
  const now = ctx.clock.now();
  await ctx.db.write(scope.workspaceId, async (tx) => {
    const row = await lockBlockType(tx, id);
    if (row === null) throw typeNotFound({ id });
    if (row.is_protected)
      throw new AppError("forbidden", "protected block types cannot be deleted.");
    await emitDocumentsDeleted(ctx, tx, { blockTypeId: id });
    await removeBlockTypeRow(tx, id);
    await emitResourceEvent(ctx, tx, blockTypeEvent("deleted", row, now));
  });
}

const TEXTS = ["logo_url", "documentation_url", "description", "code_example"] as const;

function escapeHtml(text: string | null | undefined): string | null {
  if (text == null) return null;
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

function typeNotFound(key: BlockTypeKey): AppError {
  const which = "id" in key ? key.id : `with the slug ${key.slug}`;
  return new AppError("not_found", `Block type ${which} not found`);
}

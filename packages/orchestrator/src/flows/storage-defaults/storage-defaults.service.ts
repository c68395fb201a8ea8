import type { StorageDefault } from "@orchestrator/contract";
import { AppError } from "@orchestrator/kernel/pure";
import type { Scope } from "@orchestrator/kernel/scope";
import { lockDocument } from "../../blocks/documents/block-documents.store.ts";
import { documentNotFound } from "../../blocks/documents/read-documents.service.ts";
import { findSchemaCore } from "../../blocks/schemas/block-schemas.store.ts";
import type { OrchestratorContext } from "../../context.ts";
import {
  clearResultStorage,
  findResultStorage,
  putResultStorage,
} from "./storage-defaults.store.ts";

/** What a block must be able to do to keep results. */
const CAPABILITY = "write-path";

export async function readStorageDefault(
  ctx: OrchestratorContext,
  scope: Scope,
): Promise<StorageDefault> {
  const id = await findResultStorage(ctx.db.in(scope.workspaceId));
  return { default_result_storage_block_id: id };
}

/** The choice goes with the block that was chosen. */
export async function setStorageDefault(
  ctx: OrchestratorContext,
  scope: Scope,
  id: string,
): Promise<StorageDefault> {
  const updated = ctx.clock.now();
  await ctx.db.write(scope.workspaceId, async (tx) => {
    const document = await lockDocument(tx, id);
    if (document === null) throw documentNotFound(id);
    const schema = await findSchemaCore(tx, document.block_schema_id);
    const capabilities = JSON.parse(schema?.capabilities ?? "[]") as string[];
    if (!capabilities.includes(CAPABILITY))
      throw new AppError(
        "invalid",
        `Block document ${id} cannot keep results: its block type lacks the capability ${CAPABILITY}`,
      );
    await putResultStorage(tx, { updated, default_result_storage_block_id: id });
  });
  return { default_result_storage_block_id: id };
}

export async function unsetStorageDefault(ctx: OrchestratorContext, scope: Scope): Promise<void> {
  await ctx.db.write(scope.workspaceId, clearResultStorage);
}

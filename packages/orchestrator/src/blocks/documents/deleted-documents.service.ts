import type { JsonObject } from "@orchestrator/contract";
import { KeyringError } from "@orchestrator/kernel/secrets";
import type { Transaction } from "@orchestrator/kernel/storage";
import type { OrchestratorContext } from "../../context.ts";
import type { BlockDocumentRow } from "../../db/tables/block-documents.table.ts";
import { emitResourceEvent } from "../../events/emit.ts";
import { blockDocumentEvent } from "./block-documents.events.ts";
import { type DocumentsOf, findNamedDocuments } from "./block-documents.store.ts";
import { findSchemaRecords } from "./references.store.ts";
import { openData } from "./sealed-data.ts";
import { secretsOf } from "./secrets.rules.ts";

/** A document may be of megabytes. */
const BATCH = 10;
const BEFORE_ALL = "00000000-0000-0000-0000-000000000000";

/** Tells of the documents that go with their type or their schema, which is about to be deleted. */
export async function emitDocumentsDeleted(
  ctx: OrchestratorContext,
  tx: Transaction,
  of: DocumentsOf,
): Promise<void> {
  let after = BEFORE_ALL;
  for (;;) {
    const rows = await findNamedDocuments(tx, of, { after, limit: BATCH });
    await emitDeleted(ctx, tx, rows);
    const last = rows.at(-1);
    if (last === undefined || rows.length < BATCH) return;
    after = last.id;
  }
}

/** Anonymous documents come and go unheard. */
export async function emitDeleted(
  ctx: OrchestratorContext,
  tx: Transaction,
  rows: readonly BlockDocumentRow[],
): Promise<void> {
  const named = rows.filter((row) => !row.is_anonymous);
  if (named.length === 0) return;
  const occurred = ctx.clock.now();
  const records = await findSchemaRecords(tx, new Set(named.map((row) => row.block_schema_id)));
  const schemas = new Map(records.map((record) => [record.id, record]));
  for (const row of named) {
    const schema = schemas.get(row.block_schema_id);
    if (schema === undefined) continue;
    const event = blockDocumentEvent("deleted", row, {
      data: lastWords(ctx, row),
      secrets: secretsOf(JSON.parse(schema.fields) as JsonObject),
      capabilities: schema.capabilities,
      occurred,
    });
    await emitResourceEvent(ctx, tx, event);
  }
}

/** What no key opens any more can still be deleted. */
function lastWords({ keyring }: OrchestratorContext, row: BlockDocumentRow): JsonObject {
  try {
    return openData(keyring, row);
  } catch (error) {
    if (error instanceof KeyringError) return {};
    throw error;
  }
}

import type { Action } from "@orchestrator/contract";
import type { Queries } from "@orchestrator/kernel/storage";
import { findDocument } from "../../blocks/documents/block-documents.store.ts";
import { findSchemaRecords } from "../../blocks/documents/references.store.ts";
import { findBlockTypeRow } from "../../blocks/types/block-types.store.ts";
import { WEBHOOK_SLUG } from "./formats/webhook.rules.ts";

const NOTIFY = "notify";

/**
 * Why an action can never use the block that it names; null when it can. A block that is not there
 * may come, so an automation that names it is no mistake yet.
 */
export async function blockProblem(queries: Queries, action: Action): Promise<string | null> {
  if (action.type !== "send-notification" && action.type !== "call-webhook") return null;
  const document = await findDocument(queries, action.block_document_id);
  if (document === null) return null;
  if (action.type === "call-webhook") {
    const type = await findBlockTypeRow(queries, { id: document.block_type_id });
    return type === null || type.slug === WEBHOOK_SLUG
      ? null
      : `the block ${document.name} is no webhook`;
  }
  const [schema] = await findSchemaRecords(queries, new Set([document.block_schema_id]));
  if (schema === undefined) return null;
  const { capabilities } = JSON.parse(schema.json) as { readonly capabilities: readonly string[] };
  return capabilities.includes(NOTIFY)
    ? null
    : `the block ${document.name} cannot send notifications`;
}

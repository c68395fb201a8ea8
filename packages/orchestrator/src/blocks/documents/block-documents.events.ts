import type { JsonObject } from "@orchestrator/contract";
import { writeJson } from "@orchestrator/exact-json";
import type { BlockDocumentRow } from "../../db/tables/block-documents.table.ts";
import type { ResourceEvent } from "../../events/emit.ts";
import { type BlockSecrets, openTexts } from "./secrets.rules.ts";

export interface DocumentEventOptions {
  readonly data: JsonObject;
  readonly secrets: BlockSecrets;
  /** JSON text. */
  readonly capabilities: string;
  readonly occurred: string;
}

export function blockDocumentEvent(
  verb: "created" | "updated" | "deleted",
  row: BlockDocumentRow,
  { data, secrets, capabilities, occurred }: DocumentEventOptions,
): ResourceEvent {
  const { id, name, block_type_id, block_type_name, block_schema_id } = row;
  const type = JSON.stringify({ id: block_type_id, name: block_type_name });
  const payload =
    `{"name":${JSON.stringify(name)},"data":${writeJson(openTexts(data, secrets))},` +
    `"block_schema":{"capabilities":${capabilities},"block_type":${type}}}`;
  const related = [
    { kind: "block-type", id: block_type_id, role: "block-type", name: block_type_name },
    { kind: "block-schema", id: block_schema_id, role: "block-schema" },
  ];
  return { kind: "block-document", verb, id, name, occurred, payload, related };
}

import type { BlockDocument, JsonObject } from "@orchestrator/contract";
import { mergeMembers, writeJson } from "@orchestrator/exact-json";
import type { JsonText } from "@orchestrator/kernel/storage";
import type { BlockDocumentRow } from "../../db/tables/block-documents.table.ts";
import type { Reference } from "./references.rules.ts";
import { type BlockSecrets, maskData } from "./secrets.rules.ts";

/** A document with all that its record shows, opened. */
export interface OpenDocument {
  readonly row: BlockDocumentRow;
  /** Its own values, without the documents within it. */
  readonly data: JsonObject;
  readonly secrets: BlockSecrets;
  readonly schemaJson: string;
  readonly typeJson: string;
}

/** Documents with everything that they hold. */
export interface DocumentGraph {
  readonly documents: ReadonlyMap<string, OpenDocument>;
  readonly references: ReadonlyMap<string, readonly Reference[]>;
}

/**
 * The values of a document with those of the documents within it, each masked by its own schema and
 * by that around it.
 */
export function composedData(
  graph: DocumentGraph,
  { data, row, secrets }: OpenDocument,
  includeSecrets: boolean,
): JsonObject {
  const documents = held(graph, row.id).map(({ name, document }) => {
    return [name, composedData(graph, document, includeSecrets)] as const;
  });
  const whole = mergeMembers<JsonObject[string]>(data, Object.fromEntries(documents));
  return includeSecrets ? whole : maskData(whole, secrets);
}

export function documentJson(
  graph: DocumentGraph,
  document: OpenDocument,
  includeSecrets: boolean,
): JsonText<BlockDocument> {
  const { row, schemaJson, typeJson } = document;
  const data = composedData(graph, document, includeSecrets);
  return (
    `{"id":"${row.id}","created":"${row.created}","updated":"${row.updated}",` +
    `"name":${JSON.stringify(row.name)},"data":${writeJson(data)},` +
    `"block_schema_id":"${row.block_schema_id}","block_schema":${schemaJson},` +
    `"block_type_id":"${row.block_type_id}","block_type_name":${JSON.stringify(row.block_type_name)},` +
    `"block_type":${typeJson},"block_document_references":${referencesJson(graph, row.id)},` +
    `"is_anonymous":${row.is_anonymous}}`
  );
}

function referencesJson(graph: DocumentGraph, id: string): string {
  const members = held(graph, id).map(({ name, document: { row, typeJson } }) => {
    const within = referencesJson(graph, row.id);
    return (
      `${JSON.stringify(name)}:{"block_document":{"id":"${row.id}","name":${JSON.stringify(row.name)},` +
      `"block_type":${typeJson},"is_anonymous":${row.is_anonymous},"block_document_references":${within}}}`
    );
  });
  return `{${members.join(",")}}`;
}

/** What a document holds; one that was deleted a moment ago is not there any more. */
function held({ documents, references }: DocumentGraph, id: string) {
  return (references.get(id) ?? []).flatMap(({ name, reference_id }) => {
    const document = documents.get(reference_id);
    return document === undefined ? [] : [{ name, document }];
  });
}

import type { BlockDocument, JsonObject } from "@orchestrator/contract";
import { countRows, listJson } from "@orchestrator/kernel/lists";
import { AppError } from "@orchestrator/kernel/pure";
import type { Scope } from "@orchestrator/kernel/scope";
import type { JsonText, Queries } from "@orchestrator/kernel/storage";
import type { OrchestratorContext } from "../../context.ts";
import type { BlockDocumentRow } from "../../db/tables/block-documents.table.ts";
import { assertPageFits, MAX_PAGE_BYTES, pageTooLarge } from "../../lists/page-size.ts";
import {
  BLOCK_DOCUMENT_LIST,
  BLOCK_DOCUMENT_NAMES,
  BLOCK_DOCUMENT_SIZES,
  type DocumentSelection,
  selectDocuments,
} from "../filters/block-documents.filter.ts";
import { findBlockTypeRow } from "../types/block-types.store.ts";
import { findDocument, findDocumentByName } from "./block-documents.store.ts";
import { type DocumentGraph, documentJson, type OpenDocument } from "./compose.rules.ts";
import { byParent, type Reference, shownBytes } from "./references.rules.ts";
import {
  findDocumentSizes,
  findDocuments,
  findReferencesBelow,
  findSchemaRecords,
  findTypeRecords,
} from "./references.store.ts";
import { openData } from "./sealed-data.ts";
import { secretsOf } from "./secrets.rules.ts";

export interface Shown {
  readonly includeSecrets: boolean;
}

export async function readDocument(
  ctx: OrchestratorContext,
  scope: Scope,
  { id, ...shown }: Shown & { readonly id: string },
): Promise<JsonText<BlockDocument>> {
  assertMaySee(scope, shown);
  const queries = ctx.db.in(scope.workspaceId);
  return recordOf(ctx, queries, { ...shown, row: await findDocument(queries, id), id });
}

export async function readDocumentByName(
  ctx: OrchestratorContext,
  scope: Scope,
  { slug, name, ...shown }: Shown & { readonly slug: string; readonly name: string },
): Promise<JsonText<BlockDocument>> {
  assertMaySee(scope, shown);
  const queries = ctx.db.in(scope.workspaceId);
  const type = await findBlockTypeRow(queries, { slug });
  const row =
    type === null ? null : await findDocumentByName(queries, { block_type_id: type.id, name });
  return recordOf(ctx, queries, { ...shown, row, id: `${slug}/${name}` });
}

/** Some callers may look at everything but secrets. */
export function assertMaySee({ caller }: Scope, { includeSecrets }: Shown): void {
  if (includeSecrets && caller.isKeptFromSecrets === true)
    throw new AppError("forbidden", "Secrets are not shown to this caller");
}

export interface DocumentPage extends Shown {
  /** Only false leaves the values out. */
  readonly includeData?: boolean | undefined;
  readonly selection: DocumentSelection;
  readonly sort?: string | undefined;
  readonly limit: number;
  readonly offset: number;
}

export async function listDocuments(
  ctx: OrchestratorContext,
  scope: Scope,
  { selection, includeSecrets, includeData, ...page }: DocumentPage,
): Promise<JsonText<BlockDocument[]>> {
  assertMaySee(scope, { includeSecrets });
  const queries = ctx.db.in(scope.workspaceId);
  const asked = { ...selectDocuments(selection), ...page };
  if (includeData === false) return listWithoutData(queries, asked);
  await assertPageFits(queries, BLOCK_DOCUMENT_SIZES, asked);
  const list = await listJson(queries, BLOCK_DOCUMENT_LIST, asked);
  const rows = JSON.parse(list) as BlockDocumentRow[];
  return `[${(await documentsJson(ctx, queries, { rows, includeSecrets })).join(",")}]`;
}

/** Nothing is opened, and nothing can be too large. */
async function listWithoutData(
  queries: Queries,
  asked: Parameters<typeof listJson>[2],
): Promise<JsonText<BlockDocument[]>> {
  const list = await listJson(queries, BLOCK_DOCUMENT_NAMES, asked);
  const rows = JSON.parse(list) as BlockDocumentRow[];
  const documents = await withTypes(queries, rows, () => ({}));
  const graph = { documents, references: new Map() };
  return `[${[...documents.values()].map((each) => documentJson(graph, each, false)).join(",")}]`;
}

/** The documents of a type that have a name of their own. */
export async function listDocumentsOfType(
  ctx: OrchestratorContext,
  scope: Scope,
  { slug, ...page }: Omit<DocumentPage, "selection"> & { readonly slug: string },
): Promise<JsonText<BlockDocument[]>> {
  const type = await findBlockTypeRow(ctx.db.in(scope.workspaceId), { slug });
  if (type === null) throw new AppError("not_found", `Block type with the slug ${slug} not found`);
  const selection = { block_documents: { block_type_id: { any_: [type.id] } } };
  return listDocuments(ctx, scope, { selection, ...page });
}

export async function countDocuments(
  ctx: OrchestratorContext,
  scope: Scope,
  selection: DocumentSelection,
): Promise<number> {
  return countRows(ctx.db.in(scope.workspaceId), BLOCK_DOCUMENT_LIST, selectDocuments(selection));
}

/** The records of rows, in their order; of a row whose type is being deleted there is none. */
export async function documentsJson(
  ctx: Pick<OrchestratorContext, "keyring">,
  queries: Queries,
  { rows, includeSecrets }: Shown & { readonly rows: readonly BlockDocumentRow[] },
): Promise<JsonText<BlockDocument>[]> {
  const graph = await openGraph(ctx, queries, rows);
  return rows.flatMap(({ id }) => {
    const document = graph.documents.get(id);
    return document === undefined ? [] : [documentJson(graph, document, includeSecrets)];
  });
}

/** Documents with all that they hold, opened. */
export async function openGraph(
  { keyring }: Pick<OrchestratorContext, "keyring">,
  queries: Queries,
  rows: readonly BlockDocumentRow[],
): Promise<DocumentGraph> {
  if (rows.length === 0) return { documents: new Map(), references: new Map() };
  const byId = new Map(rows.map((row) => [row.id, row]));
  const references = await findReferencesBelow(queries, byId.keys());
  const further = references.map((each) => each.reference_id).filter((id) => !byId.has(id));
  if (rows.length > 1) await assertShownFits(queries, [...byId.keys()], references);
  if (further.length > 0)
    for (const row of await findDocuments(queries, new Set(further))) byId.set(row.id, row);

  const documents = await withTypes(queries, [...byId.values()], (row) => openData(keyring, row));
  return { documents, references: byParent(references) };
}

/**
 * Documents with their type and schema, in their order; one whose type is being deleted is left
 * out.
 */
async function withTypes(
  queries: Queries,
  rows: readonly BlockDocumentRow[],
  dataOf: (row: BlockDocumentRow) => JsonObject,
): Promise<Map<string, OpenDocument>> {
  const schemaRecords = await findSchemaRecords(queries, idsOf(rows, "block_schema_id"));
  const typeRecords = await findTypeRecords(queries, idsOf(rows, "block_type_id"));
  const schemas = new Map(
    schemaRecords.map(({ id, json, fields }) => {
      const secrets = secretsOf(JSON.parse(fields) as JsonObject);
      return [id, { json, secrets }];
    }),
  );
  const types = new Map(typeRecords.map(({ id, json }) => [id, json]));
  const documents = new Map<string, OpenDocument>();
  for (const row of rows) {
    const schema = schemas.get(row.block_schema_id);
    const typeJson = types.get(row.block_type_id);
    if (schema === undefined || typeJson === undefined) continue;
    const { secrets, json: schemaJson } = schema;
    documents.set(row.id, { row, data: dataOf(row), secrets, schemaJson, typeJson });
  }
  return documents;
}

/** Each document has its bound, but a page has many. */
async function assertShownFits(
  queries: Queries,
  ids: readonly string[],
  references: readonly Reference[],
): Promise<void> {
  if (references.length === 0) return;
  const held = references.map(({ reference_id }) => reference_id);
  const ownBytes = await findDocumentSizes(queries, new Set([...ids, ...held]));
  if (shownBytes(ids, { references, ownBytes }) > MAX_PAGE_BYTES) throw pageTooLarge();
}

async function recordOf(
  ctx: OrchestratorContext,
  queries: Queries,
  {
    row,
    id,
    includeSecrets,
  }: Shown & { readonly row: BlockDocumentRow | null; readonly id: string },
): Promise<JsonText<BlockDocument>> {
  const rows = row === null ? [] : [row];
  const [record] = await documentsJson(ctx, queries, { rows, includeSecrets });
  if (record === undefined) throw documentNotFound(id);
  return record;
}

export function documentNotFound(id: string): AppError {
  return new AppError("not_found", `Block document ${id} not found`);
}

function idsOf(
  rows: readonly BlockDocumentRow[],
  column: "block_schema_id" | "block_type_id",
): Set<string> {
  return new Set(rows.map((row) => row[column]));
}

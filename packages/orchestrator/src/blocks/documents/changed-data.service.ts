import type { BlockDocumentUpdate, JsonObject, JsonValue } from "@orchestrator/contract";
import { isSameJson, isUnchangedJson, mapMembers, mergeMembers } from "@orchestrator/exact-json";
import { AppError } from "@orchestrator/kernel/pure";
import type { Transaction } from "@orchestrator/kernel/storage";
import type { OrchestratorContext } from "../../context.ts";
import type { BlockDocumentRow } from "../../db/tables/block-documents.table.ts";
import { composedData } from "./compose.rules.ts";
import { documentNotFound, openGraph } from "./read-documents.service.ts";
import { splitData } from "./references.rules.ts";
import { holdsMask, restoreMasked } from "./secrets.rules.ts";

export interface ChangedData {
  readonly own: JsonObject;
  /** Null when the document holds the same others as before. */
  readonly references: ReadonlyMap<string, string> | null;
  readonly isChanged: boolean;
}

/**
 * What a document's data becomes. A caller who sends back what it was shown changes nothing: a mask
 * stands for the secret behind it, and the values of a document within stand for that document.
 */
export async function changedData(
  ctx: OrchestratorContext,
  tx: Transaction,
  {
    row,
    changes: { data: sent, merge_existing_data: isMerged = true },
  }: { readonly row: BlockDocumentRow; readonly changes: BlockDocumentUpdate },
): Promise<ChangedData> {
  const graph = await openGraph(ctx, tx, [row]);
  const document = graph.documents.get(row.id);
  if (document === undefined) throw documentNotFound(row.id);
  const before = new Map(
    (graph.references.get(row.id) ?? []).map(({ name, reference_id }) => [name, reference_id]),
  );
  if (sent === undefined) return { own: document.data, references: null, isChanged: false };

  const open = composedData(graph, document, true);
  const shown = composedData(graph, document, false);
  const isShownBack = (key: string, value: JsonValue | undefined): boolean =>
    before.has(key) && (isSameJson(value, shown[key]) || isSameJson(value, open[key]));
  const kept = [...before].filter(([key]) =>
    Object.hasOwn(sent, key) ? isShownBack(key, sent[key]) : isMerged,
  );
  const rest = mapMembers(sent, (value, key) => (isShownBack(key, value) ? undefined : value));
  for (const [key, value] of Object.entries(rest)) if (before.has(key)) assertNoMask(key, value);
  const given = splitData(restoreMasked(rest, { stored: document.data, shown }));

  const references = new Map([...kept, ...given.references]);
  const base = isMerged ? document.data : {};
  const own = mapMembers(mergeMembers(base, given.own), (value, key) =>
    references.has(key) ? undefined : value,
  );
  const isSameReferences = isSameJson(sorted(before), sorted(references));
  const isSameData = isUnchangedJson(own, document.data);
  return {
    own,
    references: isSameReferences ? null : references,
    isChanged: !(isSameData && isSameReferences),
  };
}

/** Values put in the place of a document must be values: its secrets are not copied out of it. */
function assertNoMask(key: string, value: JsonValue): void {
  if (holdsMask(value))
    throw new AppError(
      "bad_request",
      `At ${JSON.stringify(key.slice(0, 100))} stands a block document of its own: change that one, or send all of the values in its place`,
    );
}

function sorted(references: ReadonlyMap<string, string>): [string, string][] {
  return [...references].toSorted(([a], [b]) => (a < b ? -1 : 1));
}

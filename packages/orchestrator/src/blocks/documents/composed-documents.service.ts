import type { JsonObject } from "@orchestrator/contract";
import type { Queries } from "@orchestrator/kernel/storage";
import type { OrchestratorContext } from "../../context.ts";
import { composedData } from "./compose.rules.ts";
import { openGraph } from "./read-documents.service.ts";
import { findDocuments } from "./references.store.ts";

/** The values of documents by id, with those of the documents within them. Secrets are masked. */
export async function readComposedDocuments(
  ctx: Pick<OrchestratorContext, "keyring">,
  queries: Queries,
  ids: ReadonlySet<string>,
): Promise<ReadonlyMap<string, JsonObject>> {
  if (ids.size === 0) return new Map();
  const graph = await openGraph(ctx, queries, await findDocuments(queries, ids));
  const found = [...ids].flatMap((id) => graph.documents.get(id) ?? []);
  return new Map(found.map((each) => [each.row.id, composedData(graph, each, false)]));
}

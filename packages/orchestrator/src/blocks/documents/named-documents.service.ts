import { AppError } from "@orchestrator/kernel/pure";
import type { Queries } from "@orchestrator/kernel/storage";
import type { OrchestratorContext } from "../../context.ts";
import { findPresentDocuments } from "./references.store.ts";

/** The documents that a deployment or a run names. */
export interface NamedDocuments {
  readonly infrastructure_document_id?: string | null | undefined;
  readonly storage_document_id?: string | null | undefined;
}

/** Refuses what names a block document that is not there. One that is deleted later stays named. */
export async function assertDocumentsExist(
  { dialect }: OrchestratorContext,
  queries: Queries,
  named: NamedDocuments,
): Promise<void> {
  const { infrastructure_document_id: infrastructure, storage_document_id: storage } = named;
  const ids = Object.entries({ infrastructure, storage }).flatMap(([purpose, id]) =>
    id == null ? [] : [{ purpose, id }],
  );
  if (ids.length === 0) return;
  const present = await findPresentDocuments(queries, new Set(ids.map(({ id }) => id)));
  for (const { purpose, id } of ids) {
    if (present.has(id)) continue;
    throw new AppError(dialect.unknownNamed, `The ${purpose} block ${id} does not exist`);
  }
}

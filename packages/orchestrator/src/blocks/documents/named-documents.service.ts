import { AppError } from "@orchestrator/kernel/pure";
import type { Queries } from "@orchestrator/kernel/storage";
import type { OrchestratorContext } from "../../context.ts";
import { findDocument } from "./block-documents.store.ts";

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
  for (const [purpose, id] of Object.entries({ infrastructure, storage })) {
    if (id == null || (await findDocument(queries, id)) !== null) continue;
    throw new AppError(dialect.unknownNamed, `The ${purpose} block ${id} does not exist`);
  }
}

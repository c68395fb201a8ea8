import { AppError } from "@orchestrator/kernel/pure";
import type { Transaction } from "@orchestrator/kernel/storage";
import { type Reference, referenceProblem } from "./references.rules.ts";
import {
  findDocumentSizes,
  findReferencesBelow,
  findReferencingDocuments,
  lockReferences,
  replaceReferences,
} from "./references.store.ts";

/**
 * Replaces what a document holds, unless it, or one that holds it, would then hold itself or too
 * much.
 */
export async function putReferences(
  tx: Transaction,
  {
    id,
    references,
    now,
  }: {
    readonly id: string;
    readonly references: ReadonlyMap<string, string>;
    readonly now: string;
  },
): Promise<void> {
  await lockReferences(tx, now);
  const wanted = new Set(references.values());
  const found = await findDocumentSizes(tx, wanted);
  for (const each of wanted)
    if (!found.has(each))
      throw new AppError(
        "conflict",
        `The block document ${each} that is referred to does not exist`,
      );
  const holders = await findReferencingDocuments(tx, id);
  const others = await findReferencesBelow(tx, new Set([...holders, ...wanted]));
  const own: Reference[] = [...references].map(([name, reference_id]) => ({
    parent_id: id,
    name,
    reference_id,
  }));
  await assertAllowed(tx, [...others.filter(({ parent_id }) => parent_id !== id), ...own]);
  await replaceReferences(tx, id, references);
}

/**
 * Refuses what makes a document, or one that holds it, too large. Nobody is kept waiting for that:
 * what others add in the same moment is not seen, so the bound may be passed by the data of a few
 * documents.
 */
export async function assertHoldersFit(tx: Transaction, id: string): Promise<void> {
  const holders = await findReferencingDocuments(tx, id);
  await assertAllowed(tx, await findReferencesBelow(tx, [id, ...holders]));
}

async function assertAllowed(tx: Transaction, references: readonly Reference[]): Promise<void> {
  const ids = new Set(
    references.flatMap(({ parent_id, reference_id }) => [parent_id, reference_id]),
  );
  const problem = referenceProblem(references, await findDocumentSizes(tx, ids));
  if (problem !== null) throw new AppError("bad_request", problem);
}

import { AppError, type Transaction } from "@orchestrator/kernel";
import { type Reference, referenceProblem } from "./references.rules.ts";
import {
  findDocuments,
  findHolders,
  findReferencesBelow,
  holdReferences,
  replaceReferences,
} from "./references.store.ts";

/** Replaces what a document holds, unless it, or one that holds it, would then hold itself or too much. */
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
  await holdReferences(tx, now);
  const wanted = new Set(references.values());
  const found = new Set((await findDocuments(tx, wanted)).map((row) => row.id));
  for (const each of wanted)
    if (!found.has(each))
      throw new AppError(
        "conflict",
        `The block document ${each} that is referred to does not exist`,
      );
  const holders = await findHolders(tx, id);
  const others = await findReferencesBelow(tx, new Set([...holders, ...wanted]));
  const own: Reference[] = [...references].map(([name, reference_id]) => ({
    parent_id: id,
    name,
    reference_id,
  }));
  const problem = referenceProblem([...others.filter(({ parent_id }) => parent_id !== id), ...own]);
  if (problem !== null) throw new AppError("bad_request", problem);
  await replaceReferences(tx, id, references);
}

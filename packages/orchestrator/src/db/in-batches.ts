import type { Database, Transaction } from "@orchestrator/kernel/storage";

/** What a piece of a change answers when it has left something to do. */
export const MORE: unique symbol = Symbol("more");

/**
 * A change that may touch very many rows, as transactions one after another that other writers get
 * between. `work` does all of it where it is small; else it does a piece and answers `MORE`.
 * Whatever must not be half done belongs into its last piece.
 */
export async function inBatches<T>(
  db: Database,
  workspaceId: string,
  work: (tx: Transaction) => Promise<T | typeof MORE>,
): Promise<T> {
  for (;;) {
    const result = await db.write(workspaceId, work);
    if (result !== MORE) return result;
  }
}

/** So many runs are deleted or changed in one piece. */
export const RUNS_AT_ONCE = 200;

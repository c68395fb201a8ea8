// What became of the writes of a batch, until all of it is on the disk and each can be told.

import type { SqliteTransaction } from "./sqlite-transaction.ts";

export interface WriteJob {
  readonly work: (tx: SqliteTransaction) => Promise<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** How a write went, before anything is known of its commit. */
export type WriteOutcome = Done | Failed;

interface Done {
  readonly isDone: true;
  readonly value: unknown;
  readonly topics: readonly string[];
}

interface Failed {
  readonly isDone: false;
  readonly error: unknown;
  /** Whether it has surely changed nothing: a statement that failed may have. */
  readonly isClean: boolean;
}

/** What is to be said, once it is on the disk, about the first writes of a batch. */
export interface Written {
  readonly answers: (() => void)[];
  readonly topics: Set<string>;
  readonly commits: { readonly writes: number; readonly ms: number }[];
}

export const failedWrite = (error: unknown): Failed => ({ isDone: false, error, isClean: true });

export function recordOutcome(
  { answers, topics }: Written,
  job: WriteJob,
  outcome: WriteOutcome,
): void {
  if (!outcome.isDone) {
    answers.push(() => job.reject(outcome.error));
    return;
  }
  answers.push(() => job.resolve(outcome.value));
  for (const topic of outcome.topics) topics.add(topic);
}

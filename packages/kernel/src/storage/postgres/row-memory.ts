// Rows as this process has written them last. A write that decides by one of them need not read it first: that it still is so is
// confirmed with the changes that follow from it. Of no use where other processes work with the database as well, since what they
// have changed would be found out too late and too often.

import type { HeldRow, RowVersion } from "../held-row.ts";

const MOST_ROWS = 5000;
/** Of the texts of one row. */
const MOST_CHARACTERS = 8000;
const KEPT_MS = 5 * 60_000;

/** Which row it is: its kind, and how it is found. */
export interface RowName {
  readonly row: HeldRow<never, unknown>;
  readonly key: string;
}

/** What a row is like once a write is committed; null where that is not known. */
export interface RowAfter extends RowName {
  readonly value: object | null;
}

interface Kept {
  readonly value: object;
  readonly version: string;
  readonly untilMs: number;
}

export class RowMemory {
  readonly #kinds = new Map<RowName["row"], Map<string, Kept>>();

  /** Each time as an object of its own, as if it were read. */
  get({ row, key }: RowName): RowVersion | undefined {
    const kept = this.#kinds.get(row)?.get(key);
    if (kept === undefined || kept.untilMs < performance.now()) return undefined;
    return { row_version: kept.version, ...kept.value };
  }

  set({ row, key }: RowName, value: object, version: string): void {
    this.forget({ row, key });
    if (lengthOf(value) > MOST_CHARACTERS) return;
    const rows = this.#kinds.get(row) ?? new Map<string, Kept>();
    this.#kinds.set(row, rows);
    rows.set(key, { value, version, untilMs: performance.now() + KEPT_MS });
    if (rows.size <= MOST_ROWS) return;
    for (const oldest of rows.keys()) {
      rows.delete(oldest);
      return;
    }
  }

  forget({ row, key }: RowName): void {
    this.#kinds.get(row)?.delete(key);
  }

  clear(): void {
    if (this.#kinds.size > 0) this.#kinds.clear();
  }
}

function lengthOf(value: object): number {
  let length = 0;
  for (const member of Object.values(value))
    if (typeof member === "string") length += member.length;
  return length;
}

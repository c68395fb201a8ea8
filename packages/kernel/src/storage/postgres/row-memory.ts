// Rows as this process has written them last. A write that decides by one of them need not read it first: that it still is so is
// confirmed with the changes that follow from it. Of no use where other processes work with the database as well, since what they
// have changed would be found out too late and too often.

import type { HeldRow } from "../held-row.ts";

/** What is kept for longer than it takes until a run's next state is only in the way of the garbage collector. */
const MOST_ROWS = 500;
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

export interface RememberedRow {
  readonly value: object;
  readonly version: string;
}

interface Kept extends RememberedRow {
  readonly untilMs: number;
}

type Rows = Map<RowName["row"], Map<string, Kept>>;

export class RowMemory {
  // When the first is full it becomes the second, whose rows are let go: to look for the oldest of one map takes long.
  #rows: Rows = new Map();
  #olderRows: Rows = new Map();
  #count = 0;

  /** Each time as an object of its own, as if it were read. */
  get({ row, key }: RowName): RememberedRow | undefined {
    const kept = this.#rows.get(row)?.get(key) ?? this.#olderRows.get(row)?.get(key);
    if (kept === undefined || kept.untilMs < performance.now()) return undefined;
    return { value: { ...kept.value }, version: kept.version };
  }

  set({ row, key }: RowName, value: object, version: string): void {
    this.forget({ row, key });
    if (lengthOf(value) > MOST_CHARACTERS) return;
    if (this.#count >= MOST_ROWS / 2) {
      this.#olderRows = this.#rows;
      this.#rows = new Map();
      this.#count = 0;
    }
    const rows = this.#rows.get(row) ?? new Map<string, Kept>();
    this.#rows.set(row, rows);
    rows.set(key, { value, version, untilMs: performance.now() + KEPT_MS });
    this.#count += 1;
  }

  forget({ row, key }: RowName): void {
    this.#rows.get(row)?.delete(key);
    this.#olderRows.get(row)?.delete(key);
  }

  clear(): void {
    this.#rows.clear();
    this.#olderRows.clear();
    this.#count = 0;
  }
}

function lengthOf(value: object): number {
  let length = 0;
  for (const member of Object.values(value))
    if (typeof member === "string") length += member.length;
  return length;
}

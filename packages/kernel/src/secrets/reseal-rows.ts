import type { Keyring } from "./keyring.ts";
import { KeyringError } from "./keyring-error.ts";
import { reseal } from "./reseal.ts";
import { sealedKeyId } from "./sealed-value.ts";

export interface Resealing {
  readonly resealed: number;
  /** What could not be opened. */
  readonly problems: readonly KeyringError[];
}

interface SealedRow {
  readonly id: string;
  readonly sealed: string | null;
}

export interface ResealedRow {
  readonly id: string;
  /** What it must still be for the new value to take its place. */
  readonly before: string;
  readonly sealed: string;
  readonly sealed_with: string;
}

/** A table of which each row holds one sealed value. */
export interface SealedRows {
  /** The next rows, by id, whose value another key than this has sealed. */
  readonly find: (page: {
    readonly key: string;
    readonly after: string;
    readonly limit: number;
  }) => Promise<readonly SealedRow[]>;
  /** What the value of a row is bound to. */
  readonly place: (id: string) => string;
  /** Tells whether the value was still the one that was sealed anew. */
  readonly replace: (row: ResealedRow) => Promise<boolean>;
}

/** A value may be of megabytes. */
const BATCH = 10;
const BEFORE_ALL = "00000000-0000-0000-0000-000000000000";

/** Seals values that other keys have sealed under the active one, each in a write of its own. */
export async function resealRows(
  keyring: Keyring,
  rows: SealedRows,
  signal?: AbortSignal,
): Promise<Resealing> {
  const problems: KeyringError[] = [];
  let resealed = 0;
  let after = BEFORE_ALL;
  while (!signal?.aborted) {
    const page = await rows.find({ key: keyring.activeKeyId(), after, limit: BATCH });
    const last = page.at(-1);
    if (last === undefined) break;
    after = last.id;
    for (const { id, sealed: before } of page) {
      if (before === null) continue;
      try {
        const sealed = reseal(keyring, before, rows.place(id)) ?? before;
        const row = { id, before, sealed, sealed_with: sealedKeyId(sealed) };
        if (await rows.replace(row)) resealed += 1;
      } catch (error) {
        if (!(error instanceof KeyringError)) throw error;
        problems.push(error);
      }
    }
  }
  return { resealed, problems };
}

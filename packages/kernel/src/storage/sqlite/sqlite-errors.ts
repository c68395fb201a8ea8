import { AppError } from "../../errors/app-error.ts";
import { StorageAwayError } from "../../errors/storage-away.ts";

const UNIQUE = new Set([1555, 2067, 2579]);
const FOREIGN_KEY = 787;
/**
 * Primary result codes (the low byte) of a file that cannot be used now: perm, busy, locked,
 * readonly, ioerr, full, cantopen.
 */
const UNUSABLE = new Set([3, 5, 6, 8, 10, 13, 14]);
const BUSY = 5;
const FULL = 13;

/** Whether another connection has the file locked. */
export function isBusy({ cause }: AppError): boolean {
  return (cause as { readonly errcode?: number } | undefined)?.errcode === BUSY;
}

/** Turns what the driver throws into the kernel's words; anything else passes as it is. */
export function fromSqliteError(error: unknown): unknown {
  if (!(error instanceof Error) || !("errcode" in error) || typeof error.errcode !== "number")
    return error;
  const { errcode } = error;
  if (UNIQUE.has(errcode) || errcode === FOREIGN_KEY) {
    return new AppError(
      "conflict",
      "Data integrity conflict: the change collides with existing data",
      {
        cause: error,
      },
    );
  }
  if (UNUSABLE.has(errcode & 0xff)) {
    return new StorageAwayError(
      (errcode & 0xff) === FULL
        ? "The disk that holds the database is full, so nothing was written: free some space on it"
        : "The database file cannot be used now",
      error,
    );
  }
  return error;
}

import pg from "pg";
import { AppError } from "../../errors/app-error.ts";
import { StorageAwayError } from "../../errors/storage-away.ts";
import { ROW_CHANGED } from "../locked-row.ts";

const UNIQUE_VIOLATION = "23505";
const FOREIGN_KEY_VIOLATION = "23503";
const SERIALIZATION_FAILURE = "40001";
const DEADLOCK = "40P01";
const LOCK_NOT_AVAILABLE = "55P03";
const DISK_FULL = "53100";
const NOT_OF_ITS_TYPE = "22P02";
/**
 * Classes of trouble that pass: connection exceptions, out of resources, operator intervention,
 * system error.
 */
const PASSING_CLASSES = new Set(["08", "53", "57", "58"]);
/** The server we reach is a standby, as in the moments after a failover. */
const READ_ONLY = "25006";
/** A zero byte, or half of a surrogate pair, which no text of the server can hold. */
const UNSTORABLE_TEXT = new Set(["22021", "22P05"]);
const SOCKET_CODES = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
]);

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string"
    ? error.code
    : "";
}

/**
 * Where the server, or the way to it, is going away: connection exceptions, shutdown, system error.
 */
const GOING_AWAY = /^(08|57P|58|$)/;

/**
 * The server ends the connection, or itself: a disk that is full at the commit has the same code as
 * one that is full before it, and only the first leaves open what became of the commit. A server
 * that speaks another language may have other words for it.
 */
const isFatal = (error: Error): boolean =>
  "severity" in error && (error.severity === "FATAL" || error.severity === "PANIC");

/** The server refused a statement, and goes on with what comes next. */
export const isStatementError = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && !isFatal(error) && !GOING_AWAY.test(codeOf(error));

/** A lock was waited for as long as the statement may. */
export const isLockTimeout = (error: unknown): boolean => codeOf(error) === LOCK_NOT_AVAILABLE;

/** A row is not what a write was decided by. */
class RowChanged extends AppError {
  constructor(cause: unknown) {
    super("unavailable", ROW_CHANGED, { cause, retryAfterSeconds: 1 });
  }
}

/** What it means that a row could not be confirmed. */
export const fromConfirmation = (error: unknown): unknown =>
  error instanceof pg.DatabaseError &&
  error.code === NOT_OF_ITS_TYPE &&
  error.message.includes(ROW_CHANGED)
    ? new RowChanged(error)
    : error;

/** Two transactions collided and this one lost: doing it again is right. */
export function isCollision(error: unknown): boolean {
  if (error instanceof RowChanged) return true;
  const code = codeOf(error instanceof AppError ? error.cause : error);
  return code === SERIALIZATION_FAILURE || code === DEADLOCK;
}

function isPassingTrouble(error: Error): boolean {
  // Also a login that it refuses now, or a database that is closed.
  if (isFatal(error)) return true;
  const code = codeOf(error);
  if (SOCKET_CODES.has(code)) return true;
  if (code === READ_ONLY) return true;
  if (/^[0-9A-Z]{5}$/.test(code)) return PASSING_CLASSES.has(code.slice(0, 2));
  // The driver gives no code for a connection that ended or could not be had in time.
  return /connection (terminated|ended|timeout)|timeout (exceeded|expired)|read timeout|client has encountered|not queryable/i.test(
    error.message,
  );
}

/** Turns what the driver throws into the kernel's words; anything else passes as it is. */
export function fromPostgresError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof AppError) return error;
  const code = codeOf(error);
  if (code === UNIQUE_VIOLATION || code === FOREIGN_KEY_VIOLATION) {
    return new AppError(
      "conflict",
      "Data integrity conflict: the change collides with existing data",
      {
        cause: error,
      },
    );
  }
  if (UNSTORABLE_TEXT.has(code)) {
    return new AppError("invalid", "A text holds a character that cannot be stored", {
      cause: error,
    });
  }
  if (isCollision(error)) {
    return new AppError("unavailable", "The database is not available", {
      cause: error,
      retryAfterSeconds: 1,
    });
  }
  if (isPassingTrouble(error))
    return new StorageAwayError(
      code === DISK_FULL
        ? "The disk of the database server is full, so nothing was written: free some space on it"
        : "The database is not available",
      error,
    );
  return error;
}

import pg from "pg";
import { AppError } from "../../errors/app-error.ts";

const INT8 = 20;
/** What sums and averages of whole numbers come as. */
const NUMERIC = 1700;
const JSON_TEXT = 114;
const JSONB = 3802;

export interface PoolOptions {
  readonly url: string;
  readonly maxConnections: number;
  readonly onIdleError: (error: Error) => void;
}

/** Waiting longer than this for a connection helps nobody: the caller is told to come back. */
const CONNECT_TIMEOUT_MS = 3000;
const MAX_WAITING = 1000;
/** A connection is lost that says nothing for longer than the server lets a statement take. */
const STATEMENT_TIMEOUT_MS = 30_000;
const SILENCE_TIMEOUT_MS = STATEMENT_TIMEOUT_MS + 5000;
/**
 * Acknowledged means on disk, whatever the server's own default; and nothing may hold a transaction
 * open for ever. Statements are short: to compile one because it seems long would take longer than
 * it does, and anew with every call.
 */
const SESSION_SETTINGS = `-c synchronous_commit=on -c jit=off -c statement_timeout=${STATEMENT_TIMEOUT_MS} -c idle_in_transaction_session_timeout=30000 -c TimeZone=UTC`;

/**
 * JSON stays text and counts are numbers, so that rows look the same as those of the embedded
 * engine.
 */
const types: pg.CustomTypesConfig = {
  getTypeParser(oid: number, format?: "text" | "binary") {
    if (oid === JSON_TEXT || oid === JSONB) return (value: string) => value;
    if (oid === INT8 || oid === NUMERIC) return Number;
    return pg.types.getTypeParser(oid, format as "text");
  },
};

export function clientConfig(url: string): pg.ClientConfig {
  return {
    ...withSessionSettings(url),
    types,
    // Statements are sent without waiting for the answers to those before them.
    pipeline: true,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: SILENCE_TIMEOUT_MS,
    keepAlive: true,
    application_name: "orchestrator",
  };
}

/**
 * Options in the address would replace ours instead of joining them; of two that disagree the
 * server takes the last.
 */
function withSessionSettings(url: string): pg.ClientConfig {
  const address = new URL(url);
  const given = address.searchParams.get("options") ?? "";
  address.searchParams.delete("options");
  return { connectionString: address.href, options: `${given} ${SESSION_SETTINGS}`.trim() };
}

/** What the engine needs of its connections. */
export type Connections = Pick<pg.Pool, "connect" | "query" | "waitingCount" | "end">;

export function createPool({ url, maxConnections, onIdleError }: PoolOptions): pg.Pool {
  const pool = new pg.Pool({
    ...clientConfig(url),
    // One more listens for nudges.
    max: Math.max(1, maxConnections - 1),
    idleTimeoutMillis: 30_000,
  });
  pool.on("error", onIdleError);
  pool.on("connect", (client) => {
    // One that is lost while in use says so to the query under way or the next; unheard, the event
    // would end the process.
    client.on("error", () => {});
  });
  return pool;
}

/**
 * Refuses at once when too many are waiting already, instead of letting the queue grow without
 * bound.
 */
export function refuseOverload(waiting: number): void {
  if (waiting < MAX_WAITING) return;
  throw new AppError("unavailable", "Too many requests are waiting for the database", {
    retryAfterSeconds: 1,
  });
}

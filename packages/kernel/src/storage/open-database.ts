import type { Logger } from "../log/logger.ts";
import type { Database, WriteStats } from "./database.ts";
import { openPostgres } from "./postgres/open-postgres.ts";
import { openSqlite } from "./sqlite/open-sqlite.ts";

export interface DatabaseOptions {
  /** `postgres://…`, or `sqlite:` and a file. */
  readonly url: string;
  readonly maxConnections: number;
  readonly stats: WriteStats;
  readonly log: Logger;
}

export function openDatabase({ url, maxConnections, stats, log }: DatabaseOptions): Database {
  if (url.startsWith("sqlite:")) {
    return openSqlite({ file: url.slice("sqlite:".length), stats, log, durable: true });
  }
  return openPostgres({ url, maxConnections, stats, log, analysesFirstRows: true });
}

import { realpathSync } from "node:fs";
import type { Logger } from "../../log/logger.ts";
import type {
  Database,
  SchemaSession,
  SystemTransaction,
  Transaction,
  WriteStats,
} from "../database.ts";
import { createWakeUps } from "../wake-ups.ts";
import { type Durability, notDurable, syncedToDisk } from "./durability.ts";
import { GroupCommitWriter } from "./group-commit.ts";
import { LongReads } from "./long-reads.ts";
import { keepToOwner } from "./owner-only.ts";
import { SqliteConnection } from "./sqlite-connection.ts";
import { sqliteDialect } from "./sqlite-dialect.ts";
import { SqliteQueries } from "./sqlite-transaction.ts";
import { isBehind, maintainSqliteTrigrams } from "./sqlite-trigrams.ts";

export interface SqliteOptions {
  readonly file: string;
  readonly stats: WriteStats;
  readonly log: Logger;
  /**
   * Whether a write is answered only when it is on the disk. Only tests, whose files nobody misses,
   * say no.
   */
  readonly durable: boolean;
  /** Takes the place of the disk in tests that decide when it is done. */
  readonly durability?: Durability;
  /** How long one write may keep the others waiting before it is taken back. @default 5000 */
  readonly maxWriteMs?: number;
  /** From how many rows on a table is gone through beside the event loop. @default 10,000 */
  readonly manyRows?: number | undefined;
  /**
   * Hears of every statement that the writer prepares, for tests that look at what SQLite makes of
   * them.
   */
  readonly onPrepare?: ((sql: string) => void) | undefined;
}

const CACHE_KIB = 64 * 1024;

/**
 * The embedded engine: one writer behind a queue, one reader beside it, write-ahead log between
 * them.
 */
export function openSqlite({
  file,
  stats,
  log,
  durable,
  durability,
  maxWriteMs = 5000,
  manyRows,
  onPrepare,
}: SqliteOptions): Database {
  for (const path of keepToOwner(file))
    log.warn({ path }, "Others may read this file of the database: run chmod 600 on it");
  const writerConnection = new SqliteConnection(file, {
    journal_mode: "wal",
    // The syncs that `full` would add to each commit, and the checkpoints, are done beside the
    // event loop: see durability.ts.
    synchronous: durable ? "normal" : "off",
    ...(durable && { wal_autocheckpoint: 0 }),
    cache_size: -CACHE_KIB,
    temp_store: "memory",
  });
  writerConnection.onPrepare = onPrepare;
  const readerConnection = new SqliteConnection(file, {
    query_only: "on",
    cache_size: -CACHE_KIB,
    temp_store: "memory",
  });
  const longReads = new LongReads(readerConnection, {
    file,
    manyRows,
    // Between two batches, and nothing may be waiting to be written.
    onDrained: () => void writer.submit(async () => {}).catch(() => {}),
  });
  const nudges = createWakeUps(log);
  // SQLite puts its log beside the file itself, also where that was reached by a link.
  const onDisk = () => syncedToDisk(realpathSync(file), { log, readers: longReads });
  const writer = new GroupCommitWriter(writerConnection, {
    nudges,
    stats,
    durability: durability ?? (durable ? onDisk() : notDurable),
    maxWriteMs,
  });

  const session: SchemaSession = {
    dialect: sqliteDialect,
    execute: async (sql) => writerConnection.execute(sql),
    rows: async (sql) => writerConnection.rows(sql),
  };

  const close = async (): Promise<void> => {
    await Promise.all([writer.close(), longReads.close()]);
    // The driver lets go of prepared statements late, which keeps SQLite from doing this by itself
    // at close.
    writerConnection.execute("pragma wal_checkpoint(truncate)");
    readerConnection.close();
    writerConnection.close();
  };
  let closing: Promise<void> | undefined;
  const exclusively = <T>(work: (alone: SchemaSession) => Promise<T>): Promise<T> =>
    writer.submit(() => work(session));

  return {
    dialect: sqliteDialect,
    wakeUps: nudges,
    location: `sqlite: ${file}`,
    system: new SqliteQueries(readerConnection, null),
    in: (workspaceId) => new SqliteQueries(readerConnection, workspaceId, longReads),
    write: <T>(workspaceId: string, work: (tx: Transaction) => Promise<T>) =>
      writer.submit((tx) => work(tx.inWorkspace(workspaceId))),
    writeSystem: <T>(work: (tx: SystemTransaction) => Promise<T>) => writer.submit(work),
    exclusively,
    confineRows: async () => ({ state: "none" }),
    async updateTrigramIndex(index, signal) {
      if (readerConnection.rows(isBehind(index)).length > 0)
        await maintainSqliteTrigrams(exclusively, index, { signal });
      return { state: "kept" };
    },
    ping: async () => {
      if (writer.failure !== undefined) throw writer.failure;
      readerConnection.rows("select 1");
    },
    close: () => (closing ??= close()),
  };
}

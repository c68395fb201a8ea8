import { type Database, type SchemaSession, type SystemTransaction, type Transaction, type WriteStats } from "../database.ts";
import { createNudges } from "../nudges.ts";
import { sqliteDialect } from "../dialect.ts";
import { GroupCommitWriter } from "./group-commit.ts";
import { SqliteConnection } from "./sqlite-connection.ts";
import { SqliteQueries } from "./sqlite-transaction.ts";

export interface SqliteOptions {
  readonly file: string;
  readonly stats: WriteStats;
  /** Whether a commit waits for the disk. Only tests, whose files nobody misses, say no. */
  readonly durable: boolean;
}

const CACHE_KIB = 64 * 1024;

/** The embedded engine: one writer behind a queue, one reader beside it, write-ahead log between them. */
export function openSqlite({ file, stats, durable }: SqliteOptions): Database {
  const writerConnection = new SqliteConnection(file, {
    journal_mode: "wal",
    synchronous: durable ? "full" : "off",
    cache_size: -CACHE_KIB,
    temp_store: "memory",
  });
  const readerConnection = new SqliteConnection(file, {
    query_only: "on",
    cache_size: -CACHE_KIB,
    temp_store: "memory",
  });
  const nudges = createNudges();
  const writer = new GroupCommitWriter(writerConnection, nudges, stats);

  const session: SchemaSession = {
    dialect: sqliteDialect,
    execute: async (sql) => writerConnection.execute(sql),
    rows: async (sql) => writerConnection.rows(sql),
  };

  return {
    dialect: sqliteDialect,
    nudges,
    location: `sqlite: ${file}`,
    system: new SqliteQueries(readerConnection, null),
    in: (workspaceId) => new SqliteQueries(readerConnection, workspaceId),
    write: <T>(workspaceId: string, work: (tx: Transaction) => Promise<T>) =>
      writer.submit((tx) => work(tx.inWorkspace(workspaceId))),
    writeSystem: <T>(work: (tx: SystemTransaction) => Promise<T>) => writer.submit(work),
    exclusively: (work) =>
      writer.alone(async () => {
        writerConnection.execute("begin immediate");
        try {
          const result = await work(session);
          writerConnection.execute("commit");
          return result;
        } catch (error) {
          writerConnection.execute("rollback");
          throw error;
        }
      }),
    ping: async () => {
      readerConnection.rows("select 1");
    },
    async close() {
      await writer.close();
      readerConnection.close();
      writerConnection.close();
    },
  };
}

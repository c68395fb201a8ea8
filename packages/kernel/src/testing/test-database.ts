import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe } from "vitest";
import { createLogger } from "../log/logger.ts";
import type { Database, WriteStats } from "../storage/database.ts";
import { type MigrationList, sharedTables } from "../storage/migrate.ts";
import { openPostgres } from "../storage/postgres/open-postgres.ts";
import { openSqlite } from "../storage/sqlite/open-sqlite.ts";
import { copyMigratedFile } from "./database-template.ts";
import { MAX_CONNECTIONS } from "./persistent-connections.ts";
import { lendDatabase } from "./postgres-databases.ts";

/** An empty, migrated database of the test's own; gone when the test is over. */
export interface TestDatabase extends AsyncDisposable {
  readonly db: Database;
  /**
   * A second, independent opening of the same database, as another replica would have; null where
   * one process has it alone.
   */
  readonly openReplica: (() => Promise<Database>) | null;
}

export interface TestDatabaseOptions {
  readonly stats?: WriteStats;
  /** From how many rows on a table is gone through beside the event loop, where that is done. */
  readonly manyRows?: number | undefined;
  /** Hears of every statement that SQLite prepares to write. */
  readonly onPrepare?: ((sql: string) => void) | undefined;
}

export type OpenTestDatabase = (
  migrations: readonly MigrationList[],
  options?: TestDatabaseOptions,
) => Promise<TestDatabase>;

const IGNORED: WriteStats = { onCommit: () => {} };
const silent = createLogger({ level: "silent", format: "json", name: "test" });

const openTestSqlite: OpenTestDatabase = async (
  migrations,
  { stats = IGNORED, manyRows, onPrepare } = {},
) => {
  const folder = await mkdtemp(join(tmpdir(), "orchestrator-test-"));
  const file = join(folder, "test.db");
  await copyMigratedFile(file, migrations);
  const db = openSqlite({ file, stats, log: silent, durable: false, manyRows, onPrepare });
  return {
    db,
    openReplica: null,
    async [Symbol.asyncDispose]() {
      await db.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
};

/**
 * Puts row-level security behind every test that uses PostgreSQL, to find the statements that it
 * breaks.
 */
const confinesRows = (): boolean => process.env["TEST_ROW_SECURITY"] === "1";

/** For what makes sense only where several replicas share the database. */
export async function openTestPostgres(
  migrations: readonly MigrationList[],
  { stats = IGNORED }: TestDatabaseOptions = {},
): Promise<TestDatabase & { readonly openReplica: () => Promise<Database> }> {
  const { url, connections, giveBack } = await lendDatabase(migrations);
  const open = (): Database =>
    openPostgres({
      url,
      maxConnections: MAX_CONNECTIONS,
      connections: connections(),
      stats,
      log: silent,
    });
  const opened: Database[] = [];
  const openReplica = async (): Promise<Database> => {
    const replica = open();
    opened.push(replica);
    if (confinesRows()) await replica.confineRows(sharedTables(migrations));
    return replica;
  };
  return {
    db: await openReplica(),
    openReplica,
    async [Symbol.asyncDispose]() {
      await Promise.all(opened.map((each) => each.close()));
      await giveBack();
    },
  };
}

/** The same behaviour, on every engine. */
export function describeEachDatabase(title: string, body: (open: OpenTestDatabase) => void): void {
  describe(`${title} [sqlite]`, () => body(openTestSqlite));
  describe(`${title} [postgres]`, () => body(openTestPostgres));
}

import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { describe } from "vitest";
import { createLogger } from "../log/logger.ts";
import type { Database, WriteStats } from "../storage/database.ts";
import type { MigrationList } from "../storage/migrate.ts";
import { openPostgres } from "../storage/postgres/open-postgres.ts";
import { openSqlite } from "../storage/sqlite/open-sqlite.ts";
import { copyMigratedFile, migratedTemplate } from "./database-template.ts";

/** An empty, migrated database of the test's own; gone when the test is over. */
export interface TestDatabase extends AsyncDisposable {
  readonly db: Database;
  /** A second, independent opening of the same database, as another replica would have; null where one process has it alone. */
  readonly openReplica: (() => Promise<Database>) | null;
}

export interface TestDatabaseOptions {
  readonly stats?: WriteStats;
}

export type OpenTestDatabase = (
  migrations: readonly MigrationList[],
  options?: TestDatabaseOptions,
) => Promise<TestDatabase>;

const IGNORED: WriteStats = { onCommit: () => {} };
const silent = createLogger({ level: "silent", format: "json", name: "test" });

const openTestSqlite: OpenTestDatabase = async (migrations, { stats = IGNORED } = {}) => {
  const folder = await mkdtemp(join(tmpdir(), "orchestrator-test-"));
  const file = join(folder, "test.db");
  await copyMigratedFile(file, migrations);
  const db = openSqlite({ file, stats, log: silent, durable: false });
  return {
    db,
    openReplica: null,
    async [Symbol.asyncDispose]() {
      await db.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
};

/** For what makes sense only where several replicas share the database. */
export async function openTestPostgres(
  migrations: readonly MigrationList[],
  { stats = IGNORED }: TestDatabaseOptions = {},
): Promise<TestDatabase & { readonly openReplica: () => Promise<Database> }> {
  const { url, drop } = await createTestPostgres(migrations);
  const open = (): Database => openPostgres({ url, maxConnections: 5, stats, log: silent });
  const opened = [open()];
  const [db] = opened as [Database];
  return {
    db,
    openReplica: async () => {
      const replica = open();
      opened.push(replica);
      return replica;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(opened.map((each) => each.close()));
      await drop();
    },
  };
}

/** A fresh database on the PostgreSQL server that the test run started, migrated or empty. */
export async function createTestPostgres(
  migrations?: readonly MigrationList[],
): Promise<{ url: string; drop: () => Promise<void> }> {
  const server = process.env["TEST_POSTGRES_URL"];
  if (server === undefined)
    throw new Error("TEST_POSTGRES_URL is not set: run the tests by `npm test`");
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  const template =
    migrations === undefined ? "" : ` template ${await migratedTemplate(server, migrations)}`;
  await onServer(server, `create database ${name}${template}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    drop: () => onServer(server, `drop database if exists ${name} with (force)`),
  };
}

async function onServer(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

/** The same behaviour, on every engine. */
export function describeEachDatabase(title: string, body: (open: OpenTestDatabase) => void): void {
  describe(`${title} [sqlite]`, () => body(openTestSqlite));
  describe(`${title} [postgres]`, () => body(openTestPostgres));
}

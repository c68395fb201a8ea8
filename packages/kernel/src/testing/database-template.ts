// Migrating an empty database takes longer than most tests. The first test that wants a schema
// makes it once; the others copy it.

import { createHash } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { createLogger } from "../log/logger.ts";
import { type MigrationList, migrate } from "../storage/migrate.ts";
import { openPostgres } from "../storage/postgres/open-postgres.ts";
import { postgresDialect } from "../storage/postgres/postgres-dialect.ts";
import { openSqlite } from "../storage/sqlite/open-sqlite.ts";

const stats = { onCommit: () => {} };
const log = createLogger({ level: "silent", format: "json", name: "test" });

/** The same for the same steps, also in other processes. */
function nameOf(lists: readonly MigrationList[]): string {
  const steps = lists.map(({ component, migrations }) => [
    component,
    ...migrations.map(({ name, up }) => [name, up(postgresDialect.types, postgresDialect)]),
  ]);
  const digest = createHash("sha256").update(JSON.stringify(steps)).digest("hex");
  return `template_${digest.slice(0, 32)}`;
}

const files = new Map<string, Promise<Buffer>>();

/** Makes `file` a migrated database. */
export async function copyMigratedFile(
  file: string,
  migrations: readonly MigrationList[],
): Promise<void> {
  const name = nameOf(migrations);
  const template = files.get(name) ?? makeFile(migrations);
  files.set(name, template);
  await writeFile(file, await template);
}

async function makeFile(migrations: readonly MigrationList[]): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), "orchestrator-test-"));
  try {
    const file = join(folder, "template.db");
    const db = openSqlite({ file, stats, log, durable: false });
    await migrate(db, migrations);
    await db.close();
    return await readFile(file);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const databases = new Map<string, Promise<string>>();

/** The name of a migrated database on the server, to be copied by `create database … template`. */
export function migratedTemplate(
  server: string,
  migrations: readonly MigrationList[],
): Promise<string> {
  const name = nameOf(migrations);
  const template = databases.get(name) ?? makeDatabase(server, name, migrations);
  databases.set(name, template);
  return template;
}

/** Any number makes others wait who lock the same. */
const MAKING = 4_200_420;

async function makeDatabase(
  server: string,
  name: string,
  migrations: readonly MigrationList[],
): Promise<string> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    await client.query("select pg_advisory_lock($1)", [MAKING]);
    const { rowCount } = await client.query("select 1 from pg_database where datname = $1", [name]);
    if (rowCount !== 0) return name;
    const draft = `${name}_draft`;
    await client.query(`drop database if exists ${draft} with (force)`);
    await client.query(`create database ${draft}`);
    const url = new URL(server);
    url.pathname = `/${draft}`;
    const db = openPostgres({ url: url.href, maxConnections: 1, stats, log });
    await migrate(db, migrations);
    await db.close();
    await client.query(`alter database ${draft} rename to ${name}`);
    return name;
  } finally {
    await client.end();
  }
}

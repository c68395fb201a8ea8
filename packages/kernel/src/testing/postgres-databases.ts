// Databases on the PostgreSQL server of the test run. A migrated one is used by one test after
// another in the same process: what a test left behind is removed before the next one gets it.
import { randomUUID } from "node:crypto";
import { Socket } from "node:net";
import pg from "pg";
import { createLogger } from "../log/logger.ts";
import { type MigrationList, sharedTables } from "../storage/migrate.ts";
import { openPostgres } from "../storage/postgres/open-postgres.ts";
import type { Connections } from "../storage/postgres/postgres-pool.ts";
import { type Baseline, readBaseline, resetTestDatabase } from "./database-reset.ts";
import { migratedTemplate } from "./database-template.ts";
import { openPersistentConnections, type PersistentConnections } from "./persistent-connections.ts";

/** A database lent to a test. */
export interface LentDatabase {
  readonly url: string;
  /** Connections to it for one opening, to be ended when that is closed. */
  readonly connections: () => Connections;
  /** Also when connections are still open: they are broken off. */
  readonly giveBack: () => Promise<void>;
}

/** One that can be used again. */
interface Reusable {
  readonly name: string;
  /** For cleaning only; open as long as the database is there. */
  readonly cleaner: pg.Client;
  readonly baseline: Baseline;
  /** One for each opening at the same time. */
  readonly kept: PersistentConnections[];
}

/** How many wait for the next test at most, of all templates together. */
const MAX_IDLE = 8;
/**
 * Least recently used first. Those that are being cleaned are in it too; undefined when they were
 * beyond cleaning.
 */
const idle: { readonly template: string; readonly database: Promise<Reusable | undefined> }[] = [];

/** A database as the migrations make it, and nothing else in it. */
export async function lendDatabase(migrations: readonly MigrationList[]): Promise<LentDatabase> {
  const server = serverUrl();
  const template = await migratedTemplate(server, migrations);
  const database =
    (await takeIdle(template)) ?? (await createReusable(server, template, migrations));
  const url = urlOf(server, database.name);
  let opened = 0;
  let isLent = true;
  return {
    url,
    connections: () => {
      const kept = database.kept[opened] ?? openPersistentConnections(url);
      database.kept[opened] = kept;
      opened += 1;
      return kept.lend();
    },
    giveBack: async () => {
      if (!isLent) return;
      isLent = false;
      idle.push({ template, database: clean(server, database) });
      if (idle.length > MAX_IDLE) await discard(server, await idle.shift()?.database);
    },
  };
}

async function takeIdle(template: string): Promise<Reusable | undefined> {
  for (;;) {
    const index = idle.findLastIndex((each) => each.template === template);
    if (index === -1) return undefined;
    const [taken] = idle.splice(index, 1);
    const database = await taken?.database;
    if (database !== undefined) return database;
  }
}

async function createReusable(
  server: string,
  template: string,
  migrations: readonly MigrationList[],
): Promise<Reusable> {
  const name = newName();
  await onServer(server, `create database ${name} template ${template}`);
  if (process.env["TEST_ROW_SECURITY"] === "1") await confine(urlOf(server, name), migrations);
  const cleaner = new pg.Client({
    connectionString: urlOf(server, name),
    // Nobody waits for it when the tests are over.
    stream: () => new Socket().unref(),
  });
  // One that was lost says so to the next query.
  cleaner.on("error", () => {});
  await cleaner.connect();
  const baseline = await readBaseline(cleaner);
  return { name, cleaner, baseline, kept: [] };
}

/** Each database has a role of its own, so this cannot be part of the template. */
async function confine(url: string, migrations: readonly MigrationList[]): Promise<void> {
  const log = createLogger({ level: "silent", format: "json", name: "test" });
  const db = openPostgres({ url, maxConnections: 1, stats: { onCommit: () => {} }, log });
  await db.confineRows(sharedTables(migrations));
  await db.close();
}

async function clean(server: string, database: Reusable): Promise<Reusable | undefined> {
  if (await isCleaned(database).catch(() => false)) return database;
  await discard(server, database);
  return undefined;
}

async function isCleaned({ kept, cleaner, baseline }: Reusable): Promise<boolean> {
  const served = await Promise.all(kept.map((each) => each.restore()));
  return resetTestDatabase(cleaner, baseline, served.flat());
}

async function discard(server: string, database: Reusable | undefined): Promise<void> {
  if (database === undefined) return;
  for (const kept of database.kept) kept.end();
  await database.cleaner.end().catch(() => {});
  await drop(server, database.name);
}

/** A database of the test's own, for what changes more than rows: empty, or already migrated. */
export async function createTestPostgres(
  migrations: readonly MigrationList[] = [],
): Promise<{ url: string; drop: () => Promise<void> }> {
  const server = serverUrl();
  const name = newName();
  const template = migrations.length === 0 ? "" : await migratedTemplate(server, migrations);
  await onServer(server, `create database ${name} ${template && `template ${template}`}`);
  return { url: urlOf(server, name), drop: () => drop(server, name) };
}

function serverUrl(): string {
  const server = process.env["TEST_POSTGRES_URL"];
  if (server === undefined)
    throw new Error("TEST_POSTGRES_URL is not set: run the tests by `npm test`");
  return server;
}

function urlOf(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

/** Begins like all others of the test run. */
const prefix = (): string => `test_${process.env["TEST_POSTGRES_RUN"] ?? ""}_`;
const newName = (): string => `${prefix()}${randomUUID().replaceAll("-", "")}`;

/** For a server that goes on when the test run is over. */
export async function dropTestDatabases(): Promise<void> {
  const server = serverUrl();
  const names = await onServer<{ name: string }>(
    server,
    `select datname as name from pg_database where starts_with(datname, '${prefix()}')`,
  );
  for (const { name } of names) await drop(server, name);
}

async function drop(server: string, name: string): Promise<void> {
  await onServer(server, `drop database if exists ${name} with (force)`);
  // What a server in mode `accounts` made for it.
  await onServer(server, `drop role if exists workspace_of_${name}`);
}

async function onServer<Row extends pg.QueryResultRow>(url: string, sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

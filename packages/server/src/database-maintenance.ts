// What can be done with the database while no server runs.

import { existsSync, realpathSync, rmSync } from "node:fs";
import { createLogger } from "@orchestrator/kernel/log";
import { isAppError } from "@orchestrator/kernel/pure";
import { maskUrl } from "@orchestrator/kernel/settings";
import {
  type Database,
  lockForThisProcess,
  type MigrationList,
  stampMigrations,
} from "@orchestrator/kernel/storage";
import { prepareDataFolder } from "./data-folder.ts";
import { databaseUrl, isEmbedded, openProgramDatabase } from "./program-database.ts";
import { confineWorkspaces } from "./row-security.ts";
import { migrationsOf } from "./services.ts";
import type { ProgramSettings } from "./settings.ts";
import { StartupError } from "./startup-error.ts";

export interface SchemaVersion {
  readonly component: string;
  /** How many steps this program knows. */
  readonly known: number;
  /** How many were taken; null while a server keeps the file to itself. */
  readonly applied: number | null;
  /** The last step that was taken, and when. */
  readonly latest: { readonly name: string; readonly applied: string } | null;
}

export interface DatabaseStatus {
  /** Where it is, fit to be shown. */
  readonly location: string;
  readonly exists: boolean;
  /** Whether a server has the file open; null where any number of servers may. */
  readonly inUse: boolean | null;
  readonly schema: readonly SchemaVersion[];
}

interface AppliedStep {
  readonly component: string;
  readonly name: string;
  readonly applied: string;
}

/** How far the schema is; changes nothing that holds data. */
export async function databaseStatus(settings: ProgramSettings): Promise<DatabaseStatus> {
  const url = databaseUrl(settings);
  const lists = listsOf(settings);
  if (!isEmbedded(url)) {
    const steps = await appliedSteps(settings);
    return { location: maskUrl(url), exists: true, inUse: null, schema: versions(lists, steps) };
  }
  const file = url.slice("sqlite:".length);
  const exists = existsSync(file);
  const inUse = exists && isHeld(file);
  const steps = !exists ? [] : inUse ? null : await appliedSteps(settings);
  return { location: `sqlite: ${file}`, exists, inUse, schema: versions(lists, steps) };
}

/** Brings the schema up to date, as a start does, and tells which steps that took. */
export async function upgradeDatabase(settings: ProgramSettings): Promise<readonly string[]> {
  if (isEmbedded(databaseUrl(settings))) await prepareDataFolder(settings.home);
  const nameOf = ({ component, name }: AppliedStep): string => `${component}: ${name}`;
  const before = new Set((await appliedSteps(settings)).map(nameOf));
  const after = await appliedSteps(settings, listsOf(settings));
  return after.map(nameOf).filter((name) => !before.has(name));
}

const listsOf = ({ server }: ProgramSettings): MigrationList[] =>
  migrationsOf(server.services, server.authMode);

/**
 * Notes all steps as taken without taking any, and tells which. Whoever asks for it knows that the
 * schema is as it should be.
 */
export async function stampDatabase(settings: ProgramSettings): Promise<readonly string[]> {
  const url = databaseUrl(settings);
  if (isEmbedded(url) && !existsSync(url.slice("sqlite:".length))) {
    throw new StartupError(
      `There is no database at ${url.slice("sqlite:".length)}: a start, or \`orchestrator server database upgrade\`, makes it`,
    );
  }
  const noted = await withDatabase(settings, [], (db) => stampMigrations(db, listsOf(settings)));
  return noted.map(({ component, name }) => `${component}: ${name}`);
}

/** How a backup is put in the place of the database, in the words of its own tools. */
export function restoreCommands(settings: ProgramSettings): readonly string[] {
  const url = databaseUrl(settings);
  if (isEmbedded(url)) {
    const file = itself(url.slice("sqlite:".length));
    return [`rm -f ${quoted(`${file}-wal`)} ${quoted(`${file}-shm`)}`, `cp BACKUP ${quoted(file)}`];
  }
  const { hostname, port, username, pathname } = new URL(url);
  // Said each time: a database of the same name may be on this machine, too.
  const where = [
    ["--host", hostname],
    ["--port", port],
    ["--username", username],
  ].flatMap(([option, value]) => (value ? [`${option}=${quoted(decodeURIComponent(value))}`] : []));
  const name = quoted(decodeURIComponent(pathname.slice(1)));
  return [
    ["dropdb", ...where, name],
    ["createdb", ...where, name],
    ["pg_restore", ...where, `--dbname=${name}`, "BACKUP"],
  ].map((words) => words.join(" "));
}

/** By its own name, where it is reached by a link: its log lies beside it. */
const itself = (file: string): string => (existsSync(file) ? realpathSync(file) : file);

/** As a shell takes it for one word. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** Deletes the database file with all that is in it. The sealing keys stay. */
export function resetDatabase(settings: ProgramSettings): void {
  const url = databaseUrl(settings);
  if (!isEmbedded(url)) {
    throw new StartupError(
      `${maskUrl(url)} is not ours alone to delete: drop and create it with the tools of PostgreSQL (dropdb, createdb), and the next start makes the schema`,
    );
  }
  const file = url.slice("sqlite:".length);
  if (!existsSync(file))
    throw new StartupError(`There is no database at ${file}: nothing was done`);
  const real = realpathSync(file);
  const lock = lockOrRefuse(real);
  try {
    // The log first: what it holds must not come back into a new file.
    for (const path of [`${real}-wal`, `${real}-shm`, real]) rmSync(path, { force: true });
  } finally {
    lock.release();
  }
}

function lockOrRefuse(file: string): { readonly release: () => void } {
  try {
    return lockForThisProcess(file);
  } catch (error) {
    if (!isAppError(error, "locked")) throw error;
    throw new StartupError(`A server is using ${file}: stop it first. Nothing was done`);
  }
}

function isHeld(file: string): boolean {
  try {
    lockForThisProcess(realpathSync(file)).release();
    return false;
  } catch (error) {
    if (isAppError(error, "locked")) return true;
    throw error;
  }
}

function appliedSteps(
  settings: ProgramSettings,
  migrations: readonly MigrationList[] = [],
): Promise<AppliedStep[]> {
  return withDatabase(settings, migrations, (db) =>
    db.exclusively((session) =>
      session.rows<AppliedStep>(
        "select component, name, applied from schema_migrations order by component, version",
      ),
    ),
  );
}

async function withDatabase<Value>(
  settings: ProgramSettings,
  migrations: readonly MigrationList[],
  work: (db: Database) => Promise<Value>,
): Promise<Value> {
  const log = createLogger({ ...settings.log, name: "server" });
  const stats = { onCommit: () => {} };
  const { db, close } = await openProgramDatabase({ settings, migrations, stats, log });
  try {
    // What a step has made anew is not kept apart yet, and servers that run use it at once.
    if (migrations.length > 0) await confineWorkspaces(db, settings, { migrations, log });
    return await work(db);
  } finally {
    await close();
  }
}

const versions = (
  lists: readonly MigrationList[],
  steps: readonly AppliedStep[] | null,
): SchemaVersion[] =>
  lists.map(({ component, migrations }) => {
    const own = steps?.filter((step) => step.component === component);
    const last = own?.at(-1);
    return {
      component,
      known: migrations.length,
      applied: own?.length ?? null,
      latest: last === undefined ? null : { name: last.name, applied: last.applied },
    };
  });

import { existsSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Logger } from "@orchestrator/kernel/log";
import { type AppError, isAppError } from "@orchestrator/kernel/pure";
import { maskUrl } from "@orchestrator/kernel/settings";
import {
  type Database,
  lockForThisProcess,
  type MigrationList,
  migrate,
  NewerDatabaseError,
  openDatabase,
  type WriteStats,
} from "@orchestrator/kernel/storage";
import type { ProgramSettings } from "./settings.ts";
import { StartupError } from "./startup-error.ts";

export interface ProgramDatabase {
  readonly db: Database;
  readonly close: () => Promise<void>;
}

export interface ProgramDatabaseOptions {
  readonly settings: ProgramSettings;
  readonly migrations: readonly MigrationList[];
  readonly stats: WriteStats;
  readonly log: Logger;
}

export const isEmbedded = (databaseUrl: string): boolean => databaseUrl.startsWith("sqlite:");

/** `sqlite:` alone means the file in the data folder. */
export function databaseUrl({ home, database }: ProgramSettings): string {
  if (!isEmbedded(database.url)) return database.url;
  const file = database.url.replace(/^sqlite:(\/\/(?=\/))?/, "");
  return `sqlite:${file === "" ? join(home, "orchestrator.db") : file}`;
}

/**
 * Opens the database, alone where it is a file, and brings its schema up to date; or says why it
 * cannot.
 */
export async function openProgramDatabase(
  options: ProgramDatabaseOptions,
): Promise<ProgramDatabase> {
  const { settings, migrations, stats, log } = options;
  const url = databaseUrl(settings);
  if (url.includes(":memory:")) {
    throw new StartupError(
      "A database in memory would be lost with the process: set ORCHESTRATOR_DATABASE_URL to a file, or leave it out",
    );
  }
  const lock = isEmbedded(url) ? lockFile(url.slice("sqlite:".length)) : null;
  let db: Database | undefined;
  const close = async (): Promise<void> => {
    await db?.close();
    lock?.release();
  };
  try {
    db = openDatabase({ url, maxConnections: settings.database.maxConnections, stats, log });
    await db.ping();
    const applied = await migrate(db, migrations);
    for (const { component, name } of applied)
      log.info({ component, migration: name }, "Migration applied");
    return { db, close };
  } catch (error) {
    await close();
    throw explained(error, url);
  }
}

function lockFile(file: string): { readonly release: () => void } {
  if (!existsSync(dirname(file))) {
    throw new StartupError(
      `The database file ${file} cannot be created because ${dirname(file)} does not exist: create it, or change ORCHESTRATOR_DATABASE_URL`,
    );
  }
  try {
    // By its own name: two servers may reach the same file by different ones.
    return lockForThisProcess(existsSync(file) ? realpathSync(file) : file);
  } catch (error) {
    if (isAppError(error, "locked")) {
      throw new StartupError(
        `${error.message}: stop it, or set ORCHESTRATOR_HOME to another folder, or use PostgreSQL to run several`,
      );
    }
    throw explained(error, `sqlite:${file}`);
  }
}

function explained(error: unknown, url: string): unknown {
  if (error instanceof StartupError) return error;
  if (error instanceof NewerDatabaseError) return new StartupError(error.message);
  if (isEmbedded(url)) return new StartupError(unusableFile(error, url.slice("sqlite:".length)));
  if (isAppError(error, "unavailable")) {
    return new StartupError(
      `The database ${maskUrl(url)} cannot be reached (${reasonOf(error)}): check that it is there, or change ORCHESTRATOR_DATABASE_URL`,
    );
  }
  const message = error instanceof Error ? error.message : String(error);
  return new StartupError(
    `The database ${maskUrl(url)} cannot be used (${message}): check ORCHESTRATOR_DATABASE_URL`,
  );
}

function unusableFile(error: unknown, file: string): string {
  if (isAppError(error, "unavailable"))
    return `The database file ${file} cannot be opened (${reasonOf(error)}): check that ${dirname(file)} can be written and has room, or change ORCHESTRATOR_HOME or ORCHESTRATOR_DATABASE_URL`;
  const message = error instanceof Error ? error.message : String(error);
  return `The database file ${file} cannot be used (${message}): check that it is a database of this program and whole, or change ORCHESTRATOR_HOME or ORCHESTRATOR_DATABASE_URL`;
}

function reasonOf({ cause, message }: AppError): string {
  if (!(cause instanceof Error)) return message;
  // A refused connection to a name with several addresses has its reasons one level below.
  if (cause instanceof AggregateError)
    return cause.errors.map((each: Error) => each.message).join(", ");
  return cause.message;
}

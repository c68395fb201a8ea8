import type { Database, SchemaSession } from "./database.ts";
import type { ColumnTypes, Dialect } from "./dialect.ts";
import { systemStatement } from "./tables.ts";

/**
 * One forward step of the schema. Steps are never edited once released; a mistake is mended by the
 * next one.
 */
export interface Migration {
  readonly name: string;
  /** The SQL for one engine; the column types are all that usually differs. */
  readonly up: (types: ColumnTypes, dialect: Dialect) => string;
}

/**
 * The ordered steps of one part of the program. A migration's number is its place in the list, from
 * 1.
 */
export interface MigrationList {
  readonly component: string;
  readonly migrations: readonly Migration[];
  /** Tables of no workspace that statements of workspaces read. */
  readonly shared?: readonly string[];
}

export const sharedTables = (lists: readonly MigrationList[]): string[] =>
  lists.flatMap(({ shared = [] }) => shared);

export interface AppliedMigration {
  readonly component: string;
  readonly name: string;
}

export class NewerDatabaseError extends Error {
  override readonly name = "NewerDatabaseError";
}

/**
 * Brings the schema up to date, or changes nothing: all missing steps commit together, under a
 * lock, so that replicas which start at the same time do not collide.
 */
export function migrate(
  db: Database,
  lists: readonly MigrationList[],
): Promise<AppliedMigration[]> {
  return recordMissing(db, lists, async (session, { up }) => {
    await session.execute(up(session.dialect.types, session.dialect));
  });
}

/**
 * Notes the missing steps as taken, and takes none: for a schema that was brought there by other
 * means.
 */
export function stampMigrations(
  db: Database,
  lists: readonly MigrationList[],
): Promise<AppliedMigration[]> {
  return recordMissing(db, lists, async () => {});
}

type Take = (session: SchemaSession, migration: Migration) => Promise<void>;

function recordMissing(
  db: Database,
  lists: readonly MigrationList[],
  take: Take,
): Promise<AppliedMigration[]> {
  return db.exclusively(async (session) => {
    await session.execute(
      `create table if not exists schema_migrations (
        component text not null, version integer not null, name text not null, applied text not null,
        primary key (component, version)
      )`,
    );
    const applied: AppliedMigration[] = [];
    for (const list of lists) applied.push(...(await recordMissingOf(session, list, take)));
    return applied;
  });
}

async function recordMissingOf(
  session: SchemaSession,
  { component, migrations }: MigrationList,
  take: Take,
): Promise<AppliedMigration[]> {
  const known = await session.rows<{ version: number; name: string }>(
    `select version, name from schema_migrations where component = '${component}' order by version`,
  );
  const current = known.length;
  if (current > migrations.length) {
    throw new NewerDatabaseError(
      `The database was made by a newer version (${component} schema ${current}, this program knows ${migrations.length}): upgrade the program, or point it at another database`,
    );
  }
  const stranger = known.find(({ name }, index) => name !== migrations[index]?.name);
  if (stranger !== undefined) {
    throw new NewerDatabaseError(
      `The database was made by another line of the program (${component} schema has the step ${stranger.name}, which this program does not know in that place): use the program that made it, or point this one at another database`,
    );
  }
  const { dialect } = session;
  const missing = migrations.slice(current);
  for (const [index, migration] of missing.entries()) {
    await take(session, migration);
    await session.execute(
      `insert into schema_migrations values ('${component}', ${current + index + 1}, '${migration.name}', ${dialect.now})`,
    );
  }
  return missing.map(({ name }) => ({ component, name }));
}

const countApplied = systemStatement<{ component: string }>()((db, p) =>
  db
    .selectFrom("schema_migrations")
    .select((e) => e.fn.countAll<number>().as("count"))
    .where("component", "=", p.component),
);

/**
 * Whether another part of the program finds its tables here: they are made by whoever starts it
 * first.
 */
export async function isMigrated(
  { system }: Pick<Database, "system">,
  { component, migrations }: MigrationList,
): Promise<boolean> {
  return ((await system.get(countApplied, { component }))?.count ?? 0) >= migrations.length;
}

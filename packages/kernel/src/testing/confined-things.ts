// Statements that forget the workspace they are of, and a database that is to notice.
import { sql } from "kysely";
import pg from "pg";
import { createLogger } from "../log/logger.ts";
import type { Database } from "../storage/database.ts";
import { type MigrationList, migrate, sharedTables } from "../storage/migrate.ts";
import { openPostgres } from "../storage/postgres/open-postgres.ts";
import { createTestPostgres } from "./postgres-databases.ts";
import {
  aThing,
  insertThing,
  statement,
  systemStatement,
  thingMigrations,
  W1,
  W2,
} from "./things.ts";

/** Names the workspace, as it must, and does not ask for it. */
const forgotten = (workspace: string) => sql<boolean>`cast(${workspace} as uuid) is not null`;

export const everyThing = statement()((db, p) =>
  db.selectFrom("things").select("name").where(forgotten(p.workspace_id)).orderBy("name"),
);
export const resizeEveryThing = statement<{ size: number }>()((db, p) =>
  db.updateTable("things").set({ size: p.size }).where(forgotten(p.workspace_id)),
);
export const deleteEveryThing = statement()((db, p) =>
  db.deleteFrom("things").where(forgotten(p.workspace_id)),
);
export const smuggleThing = statement<{ into: string; name: string }>()((db, p) =>
  db
    .insertInto("things")
    .columns(["workspace_id", "name"])
    .expression(
      db
        .selectNoFrom([
          sql<string>`cast(${p.into} as uuid)`.as("into"),
          sql<string>`${p.name}`.as("name"),
        ])
        .where(forgotten(p.workspace_id)),
    ),
);
export const allThings = systemStatement()((db) =>
  db.selectFrom("things").select(["workspace_id", "name"]).orderBy("workspace_id").orderBy("name"),
);

/** Beside the things, what belongs to nobody, what is for all to read, and a view. */
const surroundings: MigrationList = {
  component: "surroundings",
  shared: ["notices"],
  migrations: [
    {
      name: "surroundings",
      up: (t) => `
        create table keys (id ${t.id} primary key);
        create table notices (body ${t.text});
        insert into notices values ('for all');
        create view large_things as select workspace_id, name from things where size > 5;`,
    },
  ],
};
const migrations = [thingMigrations, surroundings];

const log = createLogger({ level: "silent", format: "json" });
const stats = { onCommit: () => {} };

export interface ConfinedThings extends AsyncDisposable {
  readonly db: Database;
  readonly url: string;
  /** As the superuser of the server. */
  readonly admin: pg.Client;
  /** Another opening of the same database, whose rows are not confined yet. */
  readonly open: (url?: string, maxConnections?: number) => Database;
  readonly confine: (db: Database) => ReturnType<Database["confineRows"]>;
}

/** A lamp in each of two workspaces, in a database that nobody has confined yet. */
export async function openThings({ login = "" } = {}): Promise<ConfinedThings> {
  const { url: superUrl, drop } = await createTestPostgres();
  const admin = new pg.Client({ connectionString: superUrl });
  await admin.connect();
  const opened: Database[] = [];
  const name = new URL(superUrl).pathname.slice(1);
  const own = new URL(superUrl);
  if (login !== "") {
    await admin.query(`create role login_${name} login ${login === "plain" ? "" : login}`);
    await admin.query(`alter database ${name} owner to login_${name}`);
    await admin.query(`grant all on schema public to login_${name}`);
    own.username = `login_${name}`;
  }
  const open = (url = own.href, maxConnections = 5): Database => {
    const db = openPostgres({ url, maxConnections, stats, log });
    opened.push(db);
    return db;
  };
  const db = open();
  await migrate(db, migrations);
  for (const workspace of [W1, W2])
    await db.write(workspace, (tx) => tx.run(insertThing, aThing()));
  return {
    db,
    url: own.href,
    admin,
    open,
    confine: (which) => which.confineRows(sharedTables(migrations)),
    async [Symbol.asyncDispose]() {
      await Promise.all(opened.map((each) => each.close()));
      await admin.end();
      await drop();
      if (login !== "") await dropRole(superUrl, `login_${name}`);
    },
  };
}

async function dropRole(url: string, role: string): Promise<void> {
  const server = new URL(url);
  server.pathname = "/postgres";
  const client = new pg.Client({ connectionString: server.href });
  await client.connect();
  await client.query(`drop role ${role}`);
  await client.end();
}

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLogger } from "@orchestrator/kernel/log";
import { openDatabase } from "@orchestrator/kernel/storage";
import { createTestPostgres } from "@orchestrator/kernel/testing";
import { expect, test } from "vitest";
import { upgradeDatabase } from "./database-maintenance.ts";
import { resealAllSecrets } from "./reseal-secrets.ts";
import { programSettings } from "./settings.ts";
import { ACCOUNTS_MODE, guardedServer } from "./testing/guarded-server.ts";

async function openPostgres() {
  const { url, drop } = await createTestPostgres();
  const log = createLogger({ level: "silent", format: "json" });
  const admin = openDatabase({ url, maxConnections: 2, stats: { onCommit: () => {} }, log });
  return {
    url,
    rows: (sql: string) => admin.exclusively((session) => session.rows<unknown>(sql)),
    server: (env: Readonly<Record<string, string>>) =>
      guardedServer({ ORCHESTRATOR_DATABASE_URL: url, ...env }),
    async [Symbol.asyncDispose]() {
      await admin.close();
      await drop();
    },
  };
}

/** Everything with a workspace, and whether something keeps its rows from other workspaces. */
const OF_WORKSPACES = `
  select c.oid::regclass::text as name,
    case c.relkind when 'v' then coalesce('security_invoker=true' = any (c.reloptions), false)
      else c.relrowsecurity and exists (
        select from pg_policy p join pg_roles r on p.polroles = array[r.oid]
        where p.polrelid = c.oid and r.rolname = 'workspace_of_' || current_database()) end as is_held
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'workspace_id'
  where c.relkind in ('r', 'p', 'v', 'm') and c.relnamespace = 'public'::regnamespace order by name`;

test("in mode accounts PostgreSQL keeps the rows of every table with a workspace from other workspaces", async () => {
  await using database = await openPostgres();
  await using _server = await database.server(ACCOUNTS_MODE);
  const found = await database.rows(OF_WORKSPACES);
  expect(found).toContainEqual({ name: "flow_runs", is_held: true });
  expect(found).toContainEqual({ name: "monitors", is_held: true });
  expect(found).toContainEqual({ name: "events", is_held: true });
  expect(found).toContainEqual({ name: "latest_artifacts", is_held: true });
  expect(found.filter((each) => !(each as { is_held: boolean }).is_held)).toEqual([]);
});

test("in mode accounts commands that bring the schema up to date leave no table out", async () => {
  await using database = await openPostgres();
  const home = await mkdtemp(join(tmpdir(), "orchestrator-walls-"));
  const settings = programSettings.read({
    env: {
      ...ACCOUNTS_MODE,
      ORCHESTRATOR_HOME: home,
      ORCHESTRATOR_DATABASE_URL: database.url,
      ORCHESTRATOR_LOG_LEVEL: "silent",
    },
  });
  const open = async () =>
    (await database.rows(OF_WORKSPACES)).filter((each) => !(each as { is_held: boolean }).is_held);
  try {
    await upgradeDatabase(settings);
    expect(await database.rows(OF_WORKSPACES)).not.toEqual([]);
    expect(await open()).toEqual([]);
    await database.rows("alter table flow_runs disable row level security");
    expect(await open()).toEqual([{ name: "flow_runs", is_held: false }]);
    await resealAllSecrets(settings);
    expect(await open()).toEqual([]);
  } finally {
    await rm(home, { recursive: true, force: true });
  }
});

test("in mode accounts several servers may start on one database at once", async () => {
  await using database = await openPostgres();
  const started = await Promise.all([1, 2, 3].map(() => database.server(ACCOUNTS_MODE)));
  for (const server of started) {
    expect((await server.call("GET", "/api/ready")).status).toBe(200);
    await server[Symbol.asyncDispose]();
  }
});

test("in the other modes PostgreSQL knows of no such thing", async () => {
  await using database = await openPostgres();
  await using _server = await database.server({});
  expect(await database.rows("select polname from pg_policy")).toEqual([]);
  expect(await database.rows("select relname from pg_class where relrowsecurity")).toEqual([]);
});

test("a login that may not make roles can do without, or refuse to", async () => {
  await using database = await openPostgres();
  const name = new URL(database.url).pathname.slice(1);
  await database.rows(`create role plain_${name} login`);
  await database.rows(`alter database ${name} owner to plain_${name}`);
  await database.rows(`grant all on schema public to plain_${name}`);
  const url = new URL(database.url);
  url.username = `plain_${name}`;
  const env = { ...ACCOUNTS_MODE, ORCHESTRATOR_DATABASE_URL: url.href };
  const required = { ...env, ORCHESTRATOR_DATABASE_ROW_SECURITY: "required" };
  await expect(database.server(required)).rejects.toThrow(
    `create role "workspace_of_${name}" nologin; grant "workspace_of_${name}" to plain_${name};`,
  );
  {
    await using server = await database.server(env);
    expect((await server.call("GET", "/api/ready")).status).toBe(200);
  }
  await database.rows(
    `create role "workspace_of_${name}" nologin; grant "workspace_of_${name}" to plain_${name};`,
  );
  {
    await using server = await database.server(required);
    expect((await server.call("GET", "/api/ready")).status).toBe(200);
  }
  await database.rows(`drop owned by plain_${name} cascade`);
  await database.rows(`alter database ${name} owner to current_user`);
  await database.rows(`drop role plain_${name}`);
});

test("SQLite has none, and says so where it is required", async () => {
  const refused = guardedServer({
    ...ACCOUNTS_MODE,
    ORCHESTRATOR_DATABASE_ROW_SECURITY: "required",
  });
  await expect(refused).rejects.toThrow("SQLite has no row-level security");
});

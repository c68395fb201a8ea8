import { expect, test } from "vitest";
import { allThings, everyThing, openThings } from "../../testing/confined-things.ts";
import { W1, W2 } from "../../testing/things.ts";
import type { Database, Queries } from "../database.ts";
import { postgresTagIndex } from "./postgres-tags.ts";
import { postgresTrigramIndex } from "./postgres-trigrams.ts";

const countSeen = async (db: Database, workspace = W1) =>
  (await db.in(workspace).all(everyThing, {})).length;
const roleOf = (url: string) => `workspace_of_${new URL(url).pathname.slice(1)}`;

test("costs those nothing who do not ask for it: they are not held to any policy", async () => {
  await using t = await openThings();
  await t.confine(t.open());
  expect(await countSeen(t.db)).toBe(2);
  expect(await t.db.system.all(allThings, {})).toHaveLength(2);
});

test("is set up once by replicas that start at the same moment", async () => {
  await using t = await openThings();
  const replicas = Array.from({ length: 4 }, () => t.open());
  const found = await Promise.all(replicas.map(t.confine));
  expect(found).toEqual(Array(4).fill({ state: "on" }));
  expect(await Promise.all(replicas.map((db) => countSeen(db)))).toEqual([1, 1, 1, 1]);
});

test("takes in a table that came later, at the next start", async () => {
  await using t = await openThings();
  await t.confine(t.db);
  await t.db.exclusively((session) =>
    session.execute(
      `create table books (workspace_id uuid not null, title text); insert into books values ('${W1}', 'a'), ('${W2}', 'b')`,
    ),
  );
  const sql = "select string_agg(title, ',') as titles from books";
  await expect(t.db.in(W1).select({ sql, values: [] })).rejects.toThrow("permission denied");
  const next = t.open();
  await t.confine(next);
  expect(await next.in(W2).select({ sql, values: [] })).toEqual({ titles: "b" });
  expect(await t.db.in(W1).select({ sql, values: [] })).toEqual({ titles: "a" });
});

test("leaves out what only finds keys of rows, inside a write as well, and holds what reads those rows", async () => {
  await using t = await openThings();
  await t.confine(t.db);
  const query = { sql: "select count(*)::integer as rows from things", values: [] };
  const seen = async (queries: Queries) => [
    await queries.select({ ...query, findsOnly: true }),
    await queries.select(query),
  ];
  expect(await seen(t.db.in(W1))).toEqual([{ rows: 2 }, { rows: 1 }]);
  expect(await t.db.write(W1, seen)).toEqual([{ rows: 2 }, { rows: 1 }]);
});

test("lets an index of letters follow who writes behind it", async () => {
  await using t = await openThings();
  const letters = { name: "coat_letters", table: "coats", column: "name" };
  await t.db.exclusively((session) =>
    session.execute(
      `create table coats (id uuid primary key, workspace_id uuid not null, name text collate "C" not null); ${postgresTrigramIndex(letters)};
       insert into coats select gen_random_uuid(), '${W2}', 'coat ' || n from generate_series(1, 10000) n; analyze coats`,
    ),
  );
  await t.confine(t.db);
  const { signal } = new AbortController();
  expect(await t.db.updateTrigramIndex(letters, signal)).toEqual({ state: "kept" });
  const inside = t.db.in(W1);
  const write = (sql: string) => inside.select({ sql, values: [] });
  const known = async () =>
    (await t.admin.query(`select name from coat_letters where workspace_id = '${W1}'`)).rows;
  await write(
    `insert into coats values (gen_random_uuid(), '${W1}', 'new'), (gen_random_uuid(), '${W1}', 'gone')`,
  );
  await write("update coats set name = 'renamed' where name = 'new'");
  await write("delete from coats where name in ('gone', 'coat 1')");
  expect(await known()).toEqual([{ name: "renamed" }]);
  expect((await t.admin.query("table coat_letters")).rowCount).toBe(10_001);
});

test("changes nothing at a start that finds everything in place", async () => {
  await using t = await openThings();
  await t.confine(t.db);
  const catalogue = async () =>
    (
      await t.admin.query(
        "select xmin::text, oid, relacl from pg_class where relname in ('things', 'notices', 'large_things') union all select xmin::text, oid, null from pg_policy order by 2",
      )
    ).rows;
  const before = await catalogue();
  await t.confine(t.open());
  expect(await catalogue()).toEqual(before);
});

test("works for a login that owns the database and may make roles", async () => {
  await using t = await openThings({ login: "createrole" });
  expect(await t.confine(t.db)).toEqual({ state: "on" });
  expect(await countSeen(t.db)).toBe(1);
  expect(await t.db.system.all(allThings, {})).toHaveLength(2);
});

test("tells a login that may not make roles what an administrator does, and then works", async () => {
  await using t = await openThings({ login: "plain" });
  const refused = await t.confine(t.db);
  const login = new URL(t.url).username;
  const role = `"${roleOf(t.url)}"`;
  expect(refused).toEqual({
    state: "refused",
    reason: expect.stringContaining("permission denied to create role"),
    remedy: `create role ${role} nologin; grant ${role} to ${login};`,
  });
  // Nothing stands behind the statements then, and all goes on.
  expect(await countSeen(t.db)).toBe(2);
  if (refused.state === "refused") await t.admin.query(refused.remedy);
  expect(await t.confine(t.db)).toEqual({ state: "on" });
  expect(await countSeen(t.db)).toBe(1);
  expect(await t.db.system.all(allThings, {})).toHaveLength(2);
});

test("is refused while the login may not take a role that is there", async () => {
  await using t = await openThings({ login: "plain" });
  const role = `"${roleOf(t.url)}"`;
  await t.admin.query(`create role ${role} nologin`);
  expect(await t.confine(t.db)).toMatchObject({
    state: "refused",
    remedy: `grant ${role} to ${new URL(t.url).username};`,
  });
});

test.each(["bypassrls", "superuser"])("is refused where the role is a %s", async (privilege) => {
  await using t = await openThings();
  await t.admin.query(`create role "${roleOf(t.url)}" nologin ${privilege}`);
  expect(await t.confine(t.db)).toMatchObject({
    state: "refused",
    reason: expect.stringContaining("bypasses the policies of parts, things"),
  });
});

test("is refused where the role has the rights of the tables' owner", async () => {
  await using t = await openThings({ login: "createrole" });
  const role = `"${roleOf(t.url)}"`;
  await t.admin.query(`create role ${role} nologin; grant ${new URL(t.url).username} to ${role}`);
  expect(await t.confine(t.open(superuser(t.url)))).toMatchObject({ state: "refused" });
});

test("finds the tables in a schema that has the name of the login", async () => {
  await using t = await openThings({ login: "createrole" });
  const login = new URL(t.url).username;
  await t.admin.query(`create schema ${login} authorization ${login}`);
  await t.admin.query(
    `alter table things set schema ${login}; alter table parts set schema ${login}; alter table notices set schema ${login}`,
  );
  const db = t.open();
  expect(await t.confine(db)).toEqual({ state: "on" });
  expect(await countSeen(db)).toBe(1);
  expect(await db.system.all(allThings, {})).toHaveLength(2);
});

test("finds the tables in a schema whose name is written in quotation marks", async () => {
  await using t = await openThings({ login: "createrole" });
  const login = new URL(t.url).username;
  const tables = ["things", "parts", "notices"];
  await t.admin.query(
    `create schema "Our Data" authorization ${login}; alter role ${login} set search_path = "Our Data", public`,
  );
  await t.admin.query(tables.map((name) => `alter table ${name} set schema "Our Data"`).join("; "));
  const db = t.open();
  expect(await t.confine(db)).toEqual({ state: "on" });
  expect(await countSeen(db)).toBe(1);
});

test("lets the triggers of indexes find their tables in a schema that has the name of the login", async () => {
  await using t = await openThings({ login: "createrole" });
  const login = new URL(t.url).username;
  await t.admin.query(`create schema ${login} authorization ${login}`);
  const db = t.open();
  await db.exclusively((session) =>
    session.execute(
      `create table coats (id uuid primary key, workspace_id uuid not null, tags jsonb not null, bought text); ${postgresTagIndex("coats", "coat_tags", "bought")}`,
    ),
  );
  expect(await t.confine(db)).toEqual({ state: "on" });
  await db.in(W1).select({
    sql: `insert into coats values (gen_random_uuid(), '${W1}', '["warm"]')`,
    values: [],
  });
  expect((await t.admin.query(`select tag from ${login}.coat_tags`)).rows).toEqual([
    { tag: "warm" },
  ]);
});

test("gives the policies of a database that was copied to a role of its own", async () => {
  await using t = await openThings();
  const old = `${roleOf(t.url).slice(0, -4)}old`;
  await t.admin.query(
    `create role ${old}; create policy workspace_rows on things to ${old} using (true)`,
  );
  expect(await t.confine(t.db)).toEqual({ state: "on" });
  expect(await countSeen(t.db)).toBe(1);
  await t.admin.query(`drop role ${old}`);
});

function superuser(url: string): string {
  const address = new URL(url);
  address.username = "postgres";
  return address.href;
}

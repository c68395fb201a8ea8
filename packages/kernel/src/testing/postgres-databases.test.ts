import pg from "pg";
import { expect, test } from "vitest";
import type { Database } from "../storage/database.ts";
import type { MigrationList } from "../storage/migrate.ts";
import { lendDatabase } from "./postgres-databases.ts";
import { openTestPostgres, type TestDatabase } from "./test-database.ts";

const migrations: MigrationList = {
  component: "lending",
  migrations: [
    {
      name: "shelves",
      up: (t) => `
        create table shelves (
          name ${t.text} primary key, size ${t.integer} not null, about ${t.json},
          twice integer generated always as (size * 2) stored
        );
        create table books (position ${t.position}, shelf ${t.text} not null references shelves (name), title ${t.text});
        insert into shelves values ('poems', 3, '{"b": "a, \\"b\\"", "a":null}'), ('plays', 4, null);
        insert into books (shelf, title) values ('poems', 'First');
        create table readers (position ${t.position}, name ${t.text});`,
    },
  ],
};

interface Lent extends AsyncDisposable {
  readonly url: string;
  readonly query: (sql: string) => Promise<Record<string, unknown>[]>;
}

async function lend(): Promise<Lent> {
  const { url, giveBack } = await lendDatabase([migrations]);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return {
    url,
    query: async (sql) => (await client.query<Record<string, unknown>>(sql)).rows,
    async [Symbol.asyncDispose]() {
      await client.end();
      await giveBack();
    },
  };
}

/** All there is in it, and the number that each kind of row would get next. */
async function contents({ query }: Lent): Promise<unknown> {
  const rows = [];
  for (const table of ["schema_migrations", "shelves", "books", "readers"]) {
    rows.push(await query(`select * from ${table} order by 1, 2`));
  }
  const sequences = "select sequencename, last_value from pg_sequences where schemaname = 'public'";
  return { rows, sequences: await query(`${sequences} order by 1`) };
}

/** What the next test gets after one that did this, and what it would have got without. */
async function around(work: (lent: Lent) => Promise<unknown>) {
  let untouched: unknown;
  let url: string;
  {
    await using first = await lend();
    ({ url } = first);
    untouched = await contents(first);
    await work(first);
  }
  await using next = await lend();
  return { untouched, next: await contents(next), isSame: next.url === url };
}

const untidy: Readonly<Record<string, string>> = {
  "rows and the numbers they got": "insert into readers (name) values ('Ann'), ('Bob')",
  "numbers that were handed out to nobody":
    "begin; insert into readers (name) values ('Ann'); rollback",
  "rows that point at each other": `insert into shelves values ('new', 1, null);
    insert into books (shelf, title) values ('new', 'Second'); insert into books (shelf) values ('poems')`,
  "seed rows that changed": "update shelves set about = '[]', size = 9 where name = 'poems'",
  "seed rows that are gone": "delete from books; delete from shelves",
  "a history of migrations that says otherwise": "update schema_migrations set version = 99",
  "very many rows": `insert into readers (name) select repeat('x', 200) from generate_series(1, 2000);
    insert into shelves select 'shelf ' || n, n from generate_series(1, 2000) n`,
};

test.each(Object.entries(untidy))("%s are gone before the next test", async (_what, sql) => {
  const { untouched, next, isSame } = await around(({ query }) => query(sql));
  expect(next).toEqual(untouched);
  expect(isSame).toBe(true);
});

const beyondCleaning: Readonly<Record<string, string>> = {
  "a table": "create table more (id integer)",
  "a column": "alter table readers add column age integer",
  "an index that was taken away again": "create index i on readers (name); drop index i",
  "no history of migrations": "drop table schema_migrations",
  statistics: "insert into readers (name) values ('Ann'); analyze readers",
};

test.each(Object.entries(beyondCleaning))(
  "the next test gets another database after %s",
  async (_what, sql) => {
    const { untouched, next, isSame } = await around(({ query }) => query(sql));
    expect(next).toEqual(untouched);
    expect(isSame).toBe(false);
  },
);

test("a connection left open is broken off, and its transaction with it", async () => {
  const { url, giveBack } = await lendDatabase([migrations]);
  const forgotten = new pg.Client({ connectionString: url });
  const lost = new Promise((resolve) => forgotten.on("error", resolve));
  await forgotten.connect();
  await forgotten.query("begin; insert into readers (name) values ('Ann'); lock table shelves");
  await forgotten.query("select pg_advisory_lock(1)");
  await giveBack();

  await using next = await lend();
  expect(next.url).toBe(url);
  await lost;
  expect(await next.query("select * from readers")).toEqual([]);
  expect(await next.query("insert into readers (name) values ('Bob') returning position")).toEqual([
    { position: "1" },
  ]);
  expect(await next.query("select pg_try_advisory_lock(1) as free")).toEqual([{ free: true }]);
});

test("connections go on to the next test, without what was done with them", async () => {
  const session = `select pg_backend_pid() as pid, current_setting('work_mem') as memory,
    (select count(*)::int from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()) as locks`;
  const look = ({ db }: TestDatabase) => db.in("").select({ sql: session, values: [] });
  let before: unknown;
  let closed: Database;
  {
    await using t = await openTestPostgres([migrations]);
    closed = t.db;
    before = await look(t);
    await t.db.exclusively((held) => held.execute("set work_mem = '5MB'"));
    await t.db.exclusively((held) => held.execute("select pg_advisory_lock(1)"));
    expect(await look(t)).toMatchObject({ memory: "5MB", locks: 1 });
  }
  await using next = await openTestPostgres([migrations]);
  expect(await look(next)).toEqual(before);
  await expect(closed.ping()).rejects.toThrow();
});

test("databases lent at the same time are not the same, also when one was given back twice", async () => {
  const twice = await lendDatabase([migrations]);
  await Promise.all([twice.giveBack(), twice.giveBack()]);
  await using one = await lend();
  await using other = await lend();
  await one.query("insert into readers (name) values ('Ann')");
  expect(await other.query("select * from readers")).toEqual([]);
});

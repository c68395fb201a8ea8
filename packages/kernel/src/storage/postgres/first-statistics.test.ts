import { expect, test } from "vitest";
import { createLogger } from "../../log/logger.ts";
import { openPostgresThings } from "../../testing/postgres-things.ts";
import { aThing, insertThing, W1 } from "../../testing/things.ts";
import { until } from "../../testing/until.ts";
import { analyseFirstRows } from "./first-statistics.ts";
import { openPostgres } from "./open-postgres.ts";

const log = createLogger({ level: "silent", format: "json" });

const MANY = Array.from({ length: 500 }, (_, n) => `thing ${n} ${"x".repeat(100)}`);
const KNOWN =
  "select relname from pg_class where relkind = 'r' and reltuples > 0 and relname = 'things'";

async function openThings() {
  const things = await openPostgresThings();
  return {
    ...things,
    runner: { query: ({ text }: { readonly text: string }) => things.admin.query(text) },
    fill: () =>
      things.db.write(W1, async (tx) => {
        for (const name of MANY) tx.enqueue(insertThing, aThing({ name }));
      }),
    isKnown: async () => (await things.admin.query(KNOWN)).rowCount === 1,
  };
}

test("a table is analysed once it has got rows, and not before", async () => {
  await using t = await openThings();
  expect([await analyseFirstRows(t.runner, new Map()), await t.isKnown()]).toEqual([true, false]);
  await t.fill();
  await analyseFirstRows(t.runner, new Map());
  expect(await t.isKnown()).toBe(true);
});

test("a table whose rows are gone again is not analysed again before it has grown", async () => {
  await using t = await openThings();
  const analyses: string[] = [];
  const query: typeof t.runner.query = (message) => {
    if (message.text.startsWith("analyze")) analyses.push(message.text);
    return t.runner.query(message);
  };
  const analysed = new Map<string, number>();
  await t.fill();
  await t.admin.query("delete from things");
  for (let look = 0; look < 3; look += 1) await analyseFirstRows({ query }, analysed);
  expect(analyses).toEqual(["analyze things"]);
  await t.fill();
  await analyseFirstRows({ query }, analysed);
  expect(await t.isKnown()).toBe(true);
});

test("tables are found in a schema of any name", async () => {
  await using t = await openThings();
  await t.fill();
  await t.admin.query('create schema "My-Own"; alter table things set schema "My-Own"');
  await t.admin.query('set search_path = "My-Own"');
  await analyseFirstRows(t.runner, new Map());
  expect(await t.isKnown()).toBe(true);
});

test("when nothing is unknown any more, nothing is left to be done", async () => {
  await using t = await openThings();
  await t.fill();
  await t.admin.query(
    "do $$ declare t record; begin for t in select relname from pg_class where relkind = 'r' and relnamespace = current_schema()::regnamespace and relname <> 'things' loop execute 'drop table ' || quote_ident(t.relname) || ' cascade'; end loop; end $$",
  );
  expect(await analyseFirstRows(t.runner, new Map())).toBe(false);
});

test("whoever writes to a new database has its tables analysed soon", async () => {
  await using t = await openThings();
  const stats = { onCommit() {} };
  const db = openPostgres({ url: t.url, maxConnections: 2, stats, log, analysesFirstRows: true });
  await t.fill();
  await db.write(W1, async (tx) => tx.enqueue(insertThing, aThing({ name: "the last" })));
  await until(async () => expect(await t.isKnown()).toBe(true));
  await db.close();
});

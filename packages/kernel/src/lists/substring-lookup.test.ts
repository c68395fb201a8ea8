// Rows are looked up only behind a glance at the first of the list, so there are some in front of
// those that the tests are about.

import fc from "fast-check";
import { expect, test } from "vitest";
import type { Database, SchemaSession } from "../storage/database.ts";
import type { MigrationList } from "../storage/migrate.ts";
import { maintainSqliteTrigrams } from "../storage/sqlite/sqlite-trigrams.ts";
import { rounds } from "../testing/rounds.ts";
import { describeEachDatabase } from "../testing/test-database.ts";
import { W1, W2 } from "../testing/things.ts";
import { textMatcher } from "../text-search/text-search.ts";
import type { ListDefinition } from "./definition.ts";
import { countRows, listJson } from "./read-list.ts";

const LETTERS = { name: "coat_letters", table: "coats", column: "name" };
const migrations: MigrationList = {
  component: "coats",
  migrations: [
    {
      name: "coats",
      up: (t) => `
        create table coats (id ${t.id} primary key, workspace_id ${t.id} not null, name ${t.text} not null);
        create index coats_by_name on coats (workspace_id, name, id);
        ${t.letterIndex(LETTERS)}`,
    },
  ],
};
const COATS: ListDefinition = {
  table: "coats",
  fields: { name: "text" },
  filter: {
    name: { column: "name", kind: "text", letterIndex: LETTERS.name, operators: ["like_"] },
  },
  sorts: { BY_ID: ["id asc"] },
  defaultSort: "BY_ID",
};

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;
const idOf = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;

async function found(db: Database, text: string): Promise<string[]> {
  const filter = { name: { like_: text } };
  const page = { filter, limit: 1000, offset: 0 };
  const coats = JSON.parse(await listJson(db.in(W1), COATS, page)) as { name: string }[];
  expect(await countRows(db.in(W1), COATS, { filter })).toBe(coats.length);
  return coats.map(({ name }) => name).toSorted();
}

/**
 * Their ids come first in the list, and they hold nothing that is sought. PostgreSQL makes no index
 * for fewer.
 */
const IN_FRONT = 10_000;
const rowsInFront = ({ dialect }: Database): number => (dialect.isRemote ? IN_FRONT : 500);

async function fill(db: Database): Promise<void> {
  const rows = Array.from(
    { length: rowsInFront(db) },
    (_, n) => `('${idOf(n)}', '${W1}', '-----')`,
  );
  await db.exclusively(async (session) => {
    await session.execute(`insert into coats values ${rows.join(", ")}`);
    if (db.dialect.isRemote) await session.execute("analyze coats");
  });
}

/**
 * What a dump does that is read into an empty database: triggers come behind the rows, which are
 * numbered from 1 and without gaps.
 */
async function reload(session: SchemaSession): Promise<void> {
  const triggers = await session.rows<{ name: string; sql: string }>(
    "select name, sql from sqlite_schema where type = 'trigger' and tbl_name = 'coats'",
  );
  expect(triggers).toHaveLength(2);
  for (const { name } of triggers) await session.execute(`drop trigger ${name}`);
  await session.execute(`
    create temp table dumped as select * from coats order by rowid;
    delete from coats;
    insert into coats select * from dumped order by rowid;
    drop table dumped;`);
  for (const { sql } of triggers) await session.execute(sql);
}

/** Takes in every row there is. */
async function keep(db: Database): Promise<void> {
  const { signal } = new AbortController();
  expect(await db.updateTrigramIndex(LETTERS, signal)).toEqual({ state: "kept" });
  if (!db.dialect.isRemote)
    await maintainSqliteTrigrams((work) => db.exclusively(work), LETTERS, { signal, rows: 1 });
}

const holding = (coats: ReadonlyMap<number, Coat>, text: string): string[] => {
  // As it is meant: letters in any case; those of ASCII are the same as no others where only such
  // are sought.
  const isHeld = textMatcher({ anyOf: [], allOf: [text], noneOf: [] });
  return [...coats.values()]
    .filter(({ workspace, name }) => workspace === W1 && isHeld(name))
    .map(({ name }) => name)
    .toSorted();
};

interface Coat {
  readonly workspace: string;
  readonly name: string;
}

const names = fc.string({
  unit: fc.constantFrom(
    "a",
    "A",
    "k",
    "K",
    "É",
    "é",
    "İ",
    "Σ",
    "σ",
    "ς",
    "ж",
    "Ж",
    '"',
    "%",
    "_",
    "\\",
    "[",
    "😀",
  ),
  minLength: 2,
  maxLength: 6,
});
const workspace = fc.constantFrom(W1, W1, W1, W2);
const steps = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.record({ kind: fc.constant("add"), name: names, workspace }) },
    {
      weight: 3,
      arbitrary: fc.record({ kind: fc.constant("rename"), at: fc.nat(), name: names }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("remove"), at: fc.nat() }) },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant("remove the last"),
        count: fc.integer({ min: 1, max: 4 }),
      }),
    },
    { weight: 4, arbitrary: fc.record({ kind: fc.constant("keep") }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("reload") }) },
  ),
  { minLength: 10, maxLength: 40 },
);
type Step = typeof steps extends fc.Arbitrary<(infer S)[]> ? S : never;

/** Does the step, and says how it is done in SQL. */
function take(coats: Map<number, Coat>, step: Step, next: () => number): string {
  const ids = [...coats.keys()];
  const remove = (gone: readonly number[]): string => {
    for (const id of gone) coats.delete(id);
    if (gone.length === 0) return "select 1";
    return `delete from coats where id in (${gone.map((id) => quoted(idOf(id))).join(", ")})`;
  };
  if ("workspace" in step) {
    const id = next();
    coats.set(id, step);
    return `insert into coats values (${quoted(idOf(id))}, '${step.workspace}', ${quoted(step.name)})`;
  }
  if ("count" in step) return remove(ids.slice(-step.count));
  const id = "at" in step ? ids[step.at % ids.length] : undefined;
  const coat = coats.get(id ?? 0);
  if (id === undefined || coat === undefined) return "select 1";
  if (!("name" in step)) return remove([id]);
  coats.set(id, { workspace: coat.workspace, name: step.name });
  return `update coats set name = ${quoted(step.name)} where id = ${quoted(idOf(id))}`;
}

describeEachDatabase("letters", (open) => {
  test("find the rows that hold them, whatever came, changed and went, and however far the index is", async () => {
    await using t = await open([migrations]);
    const { db } = t;
    await fill(db);
    let count = IN_FRONT;
    await fc.assert(
      fc.asyncProperty(steps, fc.array(names, { minLength: 1 }), async (taken, sought) => {
        await db.exclusively((session) =>
          session.execute(`delete from coats where id >= '${idOf(IN_FRONT)}'`),
        );
        const coats = new Map<number, Coat>();
        for (const step of taken) {
          if (step.kind === "keep") await keep(db);
          else if (step.kind === "reload") {
            if (!db.dialect.isRemote) await db.exclusively(reload);
          } else {
            const sql = take(coats, step, () => ++count);
            await db.exclusively((session) => session.execute(sql));
          }
        }
        const parts = [...coats.values()].map(({ name }) => Array.from(name).slice(-4).join(""));
        for (const text of [...sought, ...parts])
          expect([text, await found(db, text)]).toEqual([text, holding(coats, text)]);
      }),
      { numRuns: db.dialect.isRemote ? rounds(4, 10) : rounds(12, 50) },
    );
  });

  test("are found in a database that was made anew from a dump, where rows have other numbers", async () => {
    await using t = await open([migrations]);
    const { db } = t;
    await fill(db);
    const rows = ["one", "two", "three", "four"].map(
      (name, n) => `('${idOf(IN_FRONT + n)}', '${W1}', 'coat ${name}')`,
    );
    const run = (sql: string) => db.exclusively((session) => session.execute(sql));
    await run(`insert into coats values ${rows.join(", ")}`);
    await keep(db);
    await run("delete from coats where name in ('coat one', 'coat four')");
    if (!db.dialect.isRemote) {
      const [end] = await db.exclusively((session) =>
        session.rows<{ last: number }>("select last from coat_letters_end"),
      );
      // The index ends with the row before it, and nothing is taken in again.
      expect(end).toEqual({ last: rowsInFront(db) + 3 });
    }
    await keep(db);
    await run(`insert into coats values ('${idOf(IN_FRONT + 5)}', '${W1}', 'coat ten')`);
    if (!db.dialect.isRemote) await db.exclusively(reload);
    for (let pass = 0; pass < 2; pass += 1) {
      expect(await found(db, "coat t")).toEqual(["coat ten", "coat three", "coat two"]);
      expect(await found(db, "COAT FOUR")).toEqual([]);
      await keep(db);
    }
  });

  test("are found where more rows hold them than are looked up", async () => {
    await using t = await open([migrations]);
    await fill(t.db);
    const rows = Array.from(
      { length: 6000 },
      (_, n) => `('${idOf(IN_FRONT + n)}', '${W1}', 'coat ${n % 5} of ${n}')`,
    );
    await t.db.exclusively((session) =>
      session.execute(`insert into coats values ${rows.join(", ")}`),
    );
    const page = { filter: { name: { like_: "--" } }, limit: 20, offset: 0 };
    for (let pass = 0; pass < 2; pass += 1) {
      expect(JSON.parse(await listJson(t.db.in(W1), COATS, page))).toHaveLength(20);
      expect(await found(t.db, "of 2499")).toEqual(["coat 4 of 2499"]);
      expect(await found(t.db, "coat of")).toEqual([]);
      await keep(t.db);
    }
  });
});

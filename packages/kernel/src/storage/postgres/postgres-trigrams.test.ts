import { randomUUID } from "node:crypto";
import pg from "pg";
import { expect, test } from "vitest";
import { createTestPostgres } from "../../testing/postgres-databases.ts";
import { openTestPostgres } from "../../testing/test-database.ts";
import { W1 } from "../../testing/things.ts";
import { until } from "../../testing/until.ts";
import { textMatcher } from "../../text-search/text-search.ts";
import { isSearch } from "./postgres-queries.ts";
import {
  maintainPostgresTrigrams,
  postgresTrigramCandidates,
  postgresTrigramIndex,
} from "./postgres-trigrams.ts";

const LETTERS = { name: "coat_letters", table: "coats", column: "name" };
const FIND = "explain select from coat_letters where name ilike '%oat 7777%'";

const keep = (url: string, { signal } = new AbortController()) =>
  maintainPostgresTrigrams(url, LETTERS, signal);

async function withCoats(
  rows: number,
  body: (url: string, client: pg.Client) => Promise<void>,
): Promise<void> {
  const { url, drop } = await createTestPostgres();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(
      `create table coats (id uuid primary key, workspace_id uuid not null, name text, colour text); ${postgresTrigramIndex(LETTERS)}`,
    );
    await client.query(
      `insert into coats select gen_random_uuid(), '${W1}', 'coat ' || n from generate_series(1, ${rows}) n`,
    );
    await client.query("analyze coats");
    await body(url, client);
  } finally {
    await client.end();
    await drop();
  }
}

const planOf = async (client: pg.Client): Promise<string> =>
  JSON.stringify((await client.query(FIND)).rows);

test("the index of letters is made when there are many rows, by one of those who try", async () => {
  await withCoats(20_000, async (url, client) => {
    const tries = [1, 2, 3].map(() => keep(url));
    const states = (await Promise.all(tries)).map(({ state }) => state);
    expect(states).toContain("kept");
    expect(states).not.toContain("refused");
    expect(await planOf(client)).toContain("coat_letters_trigrams");
    expect(await keep(url)).toEqual({ state: "kept" });
  });
});

test("texts are copied once, and followed from then on; what else changes in a row costs nothing", async () => {
  await withCoats(20_000, async (url, client) => {
    await keep(url);
    const copied = async () =>
      (await client.query("table coat_letters except select workspace_id, id, name from coats"))
        .rowCount === 0 &&
      (await client.query("select workspace_id, id, name from coats except table coat_letters"))
        .rowCount === 0;
    expect(await copied()).toBe(true);
    const versions = async () =>
      (await client.query("select array_agg(xmin || id::text order by id) from coat_letters")).rows;
    const before = await versions();
    await client.query("update coats set colour = 'red'");
    expect(await versions()).toEqual(before);
    await client.query(`insert into coats values (gen_random_uuid(), '${W1}', 'new')`);
    await client.query("update coats set name = 'renamed' where name like '%77'");
    await client.query("delete from coats where name like '%88'");
    expect(await copied()).toBe(true);
  });
});

test("the index of letters gives way to a write that takes long, and is made when that is over", async () => {
  await withCoats(20_000, async (url, client) => {
    await client.query("begin; update coats set name = 'held' where name = 'coat 7'");
    expect(await keep(url)).toMatchObject({ state: "refused" });
    await client.query("commit");
    expect(await keep(url)).toEqual({ state: "kept" });
    const { rows } = await client.query("select name from coat_letters where name ilike '%HELD%'");
    expect(rows).toEqual([{ name: "held" }]);
  });
});

test("who is told to end does not wait until the index can be made, and others find it made later", async () => {
  await withCoats(20_000, async (url, client) => {
    // As a dump does: an index that is made beside it waits for it.
    await client.query("begin isolation level repeatable read; select from coats limit 1");
    const stopping = new AbortController();
    const pass = keep(url, stopping);
    await until(async () => {
      const waiting = await client.query(
        "select from pg_stat_activity where datname = current_database() and wait_event = 'virtualxid'",
      );
      await client.query("select pg_stat_clear_snapshot()");
      expect(waiting.rowCount).toBe(1);
    });
    stopping.abort();
    expect(await pass).toEqual({ state: "left" });
    expect(await keep(url)).toEqual({ state: "not needed" });
    await client.query("commit");
    await until(async () => expect(await keep(url)).toEqual({ state: "kept" }));
    expect(await keep(url, stopping)).toEqual({ state: "left" });
  });
});

test("there is no index of letters for few rows, which would pay for it with every change", async () => {
  await withCoats(1000, async (url, client) => {
    expect(await keep(url)).toEqual({ state: "not needed" });
    expect(await planOf(client)).not.toContain("coat_letters_trigrams");
  });
});

test("an index of letters whose making was broken off is made anew", async () => {
  await withCoats(20_000, async (url, client) => {
    await keep(url);
    await client.query(
      "update pg_index set indisvalid = false where indexrelid = 'coat_letters_trigrams'::regclass",
    );
    expect(await planOf(client)).not.toContain("coat_letters_trigrams");
    expect(await keep(url)).toEqual({ state: "kept" });
    expect(await planOf(client)).toContain("coat_letters_trigrams");
  });
});

test("an extension that somebody has installed elsewhere is used where it is", async () => {
  await withCoats(20_000, async (url, client) => {
    await client.query("create schema tools; create extension pg_trgm schema tools");
    expect(await keep(url)).toEqual({ state: "kept" });
    expect(await planOf(client)).toContain("coat_letters_trigrams");
  });
});

test("where the extension cannot be had, that is said, and nothing else changes", async () => {
  await withCoats(20_000, async (url, client) => {
    const login = `plain_${randomUUID().replaceAll("-", "")}`;
    await client.query(`create role ${login} login; alter table coats owner to ${login}`);
    try {
      const theirs = new URL(url);
      theirs.username = login;
      expect(await keep(theirs.href)).toMatchObject({
        state: "refused",
        reason: expect.stringContaining("permission denied"),
      });
      expect(await planOf(client)).toContain("Seq Scan");
    } finally {
      await client.query(`drop owned by ${login}; drop role ${login}`);
    }
  });
});

test("where the server has no connection to spare, that is said, and tried again with the next pass", async () => {
  await withCoats(20_000, async (url, client) => {
    const login = `late_${randomUUID().replaceAll("-", "")}`;
    await client.query(`create role ${login} login connection limit 0`);
    try {
      const theirs = new URL(url);
      theirs.username = login;
      expect(await keep(theirs.href)).toMatchObject({
        state: "refused",
        reason: expect.stringContaining("too many connections"),
      });
    } finally {
      await client.query(`drop role ${login}`);
    }
  });
});

test("a database that is away is no refusal: the pass fails", async () => {
  await expect(keep("postgres://nobody@127.0.0.1:1/none")).rejects.toThrow("ECONNREFUSED");
});

const isLookedUp = (text: string): boolean =>
  postgresTrigramCandidates(LETTERS, text, String) !== null;

test("only three letters or digits in a row are looked up", () => {
  expect(["abc", "é本1", "a-b123"].filter(isLookedUp)).toHaveLength(3);
  expect(["ab", "a-b-c", "%%%%", "😀😀😀"].filter(isLookedUp)).toEqual([]);
});

test("letters whose small ones depend on what stands behind them, or are several, are not looked up", () => {
  expect(["αΣσ", "aςσb", "İab"].filter(isLookedUp)).toEqual([]);
  expect(["ΑΒΓΣ", "Σabc"].filter(isLookedUp)).toHaveLength(2);
});

const NAMES = ["ΑΒΓΣΔ", "αβγς", "Отчёт за май", "ОТЧЁТ", "École [x]", "ÉCOLE", "İab cde", "straße"];
const SOUGHT = ["ΑΒΓΣ", "αβγσ", "отчёт", "ЗА МАЙ", "école [X]", "éco", "İab cde", "straẞ"];

// In some languages letters beyond ASCII count as letters, in others they do not.
test.each([
  "builtin locale 'C.UTF-8'",
  "builtin builtin_locale 'PG_UNICODE_FAST' locale 'C'",
  "libc locale 'C'",
  "icu icu_locale 'und' locale 'C'",
])(
  "letters of every script are found in any case by the index, with the language %s",
  async (language) => {
    const { url: plain, drop } = await createTestPostgres();
    const name = `language_${randomUUID().replaceAll("-", "")}`;
    const maker = new pg.Client({ connectionString: plain });
    await maker.connect();
    try {
      await maker.query(
        `create database ${name} template template0 encoding 'UTF8' locale_provider ${language}`,
      );
      const client = new pg.Client({ connectionString: plain.replace(/[^/]*$/u, name) });
      await client.connect();
      try {
        await client.query(`
        create extension pg_trgm; ${postgresTrigramIndex(LETTERS)}
        create index coat_letters_trigrams on coat_letters using gin (name gin_trgm_ops);`);
        for (const coat of NAMES)
          await client.query("insert into coat_letters values ($1, gen_random_uuid(), $2)", [
            W1,
            coat,
          ]);
        await client.query("set enable_seqscan = off; set enable_indexscan = off");
        for (const text of SOUGHT) {
          const values: unknown[] = [W1];
          const bind = (value: unknown): string => `$${values.push(value)}`;
          const { rows = "" } = postgresTrigramCandidates(LETTERS, text, bind) ?? {};
          const names = await client.query<{ name: string }>(
            `select name from coat_letters where '"' || id || '"' in (${rows})`,
            values,
          );
          const isHeld = textMatcher({ anyOf: [text], allOf: [], noneOf: [] });
          expect([text, names.rows.map((row) => row.name)]).toEqual([
            text,
            expect.arrayContaining(NAMES.filter((coat) => isHeld(coat))),
          ]);
        }
        const plan = await client.query(
          "explain select from coat_letters where name ~ '[оО][тТ][чЧ]'",
        );
        expect(JSON.stringify(plan.rows)).toContain("coat_letters_trigrams");
      } finally {
        await client.end();
        await maker.query(`drop database ${name}`);
      }
    } finally {
      await maker.end();
      await drop();
    }
  },
);

test("a search is planned for its letters each time, and not kept", async () => {
  const search = "select 1 as found where 'a' ilike $1";
  expect([search, "select 1 as found where 'a' = $1"].map(isSearch)).toEqual([true, false]);
  expect(isSearch(postgresTrigramCandidates(LETTERS, "отчёт", String)?.rows ?? "")).toBe(true);
  await using t = await openTestPostgres([]);
  // On one connection, which alone knows what it keeps.
  const kept = await t.db.write(W1, async (tx) => {
    for (let time = 0; time < 3; time += 1) await tx.select({ sql: search, values: ["a"] });
    return tx.select<{ searches: number }>({
      sql: "select count(*)::int as searches from pg_prepared_statements where statement = $1",
      values: [search],
    });
  });
  expect(kept).toEqual({ searches: 0 });
});

import fc from "fast-check";
import { expect, test } from "vitest";
import type { Database, Queries } from "../storage/database.ts";
import {
  addNotes,
  addOldNotes,
  blocksOf,
  deleteNotesBefore,
  fencingTokenOf,
  findTexts,
  indexNotes,
  lateOf,
  minutesBefore,
  NOTE_LIST,
  NOTE_TEXTS,
  noteMigrations,
  now,
  PLAIN_NOTES,
  readNotes,
} from "../testing/notes.ts";
import { rounds } from "../testing/rounds.ts";
import { describeEachDatabase } from "../testing/test-database.ts";
import { W1, W2 } from "../testing/things.ts";
import { parseTextSearch } from "../text-search/text-search.ts";
import { createTextBlocks } from "./maintain.ts";
import { findTextRanges } from "./text-ranges.ts";
import { AFTER_ALL_TIMES, BEFORE_ALL_TIMES, type BlockRange } from "./text-source.ts";

const { signal } = new AbortController();

async function stretchesOf(queries: Queries, query: string): Promise<BlockRange[]> {
  const stretches = findTextRanges(queries, {
    source: NOTE_TEXTS,
    search: parseTextSearch(query),
    within: { since: BEFORE_ALL_TIMES, until: AFTER_ALL_TIMES },
    isAscending: false,
    rows: null,
  });
  const found: BlockRange[] = [];
  if (stretches !== null) for await (const stretch of stretches.each()) found.push(stretch);
  return found;
}

/** How many rows a search goes through. */
async function rowsRead(db: Database, query: string): Promise<number> {
  let rows = 0;
  for (const { since, until } of await stretchesOf(db.in(W1), query)) {
    const sql = `select count(*) as count from notes where workspace_id = ${db.dialect.parameter(1)} and at >= ${db.dialect.parameter(2)} and at <= ${db.dialect.parameter(3)}`;
    rows +=
      (await db.in(W1).select<{ count: number }>({ sql, values: [W1, since, until] }))?.count ?? 0;
  }
  return rows;
}

describeEachDatabase("a search by blocks", (open) => {
  test("reads the rows of a few blocks where few rows hold the word", async () => {
    await using opened = await open(noteMigrations);
    const { db } = opened;
    await addOldNotes(db);
    await addNotes(db, [{ at: minutesBefore(300), text: "a needle in hay" }]);
    await indexNotes(db);
    expect(await rowsRead(db, "needle")).toBeLessThan(20);
    expect(await findTexts(db, "needle")).toEqual(["a needle in hay"]);
    expect(await findTexts(db, "nobodywritesthis")).toEqual([]);
  });

  test("reads everything where nothing is known of the word, and where all rows hold it", async () => {
    await using opened = await open(noteMigrations);
    const { db } = opened;
    await addOldNotes(db);
    await indexNotes(db);
    expect(await stretchesOf(db.in(W1), "ab ßß")).toEqual([]);
    expect(await stretchesOf(db.in(W1), '"----"')).toEqual([
      { since: BEFORE_ALL_TIMES, until: AFTER_ALL_TIMES },
    ]);
    expect(await findTexts(db, '"--"')).toHaveLength(50);
  });

  test("finds texts with a character that stands between rows where they are read", async () => {
    await using opened = await open(noteMigrations);
    const { db } = opened;
    await addOldNotes(db);
    await addNotes(db, [{ at: minutesBefore(700), text: "prompt \u0001needle\u0001 in hay" }]);
    await indexNotes(db);
    for (const query of ['"pt \u0001needle"', "needle\u0001", "\u0001need", "needle"])
      expect(await findTexts(db, query), query).toHaveLength(1);
    expect(await rowsRead(db, "nobody\u0001writesthis")).toBeLessThan(20);
  });

  test("tells the same with blocks and without", { timeout: 120_000 }, async () => {
    await using opened = await open(noteMigrations);
    const { db } = opened;
    await addOldNotes(db, 600);
    const word = fc.string({
      unit: fc.constantFrom(...Array.from("abcdefgABKİiıéÉ0123-\"\\%_ 'ßς日😀\u0001")),
      minLength: 1,
      maxLength: 12,
    });
    const minutes = fc.integer({ min: 0, max: 900 });
    const note = fc.record({
      at: minutes.map(minutesBefore),
      text: word.map((text) => `${text} ${text}`),
    });
    const term = fc.tuple(
      fc.constantFrom("", "", "+", "-"),
      fc.oneof(word, fc.constantFrom("----", "abc", "---- 7")),
      fc.nat(8),
      fc.integer({ min: 1, max: 8 }),
    );
    const search = fc.record({
      terms: fc.array(term, { minLength: 1, maxLength: 3 }),
      from: fc.nat(),
      sort: fc.constantFrom("FIRST", "LAST"),
      limit: fc.integer({ min: 1, max: 20 }),
      offset: fc.nat(6),
      after: fc.option(minutes),
    });
    let skipping = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(note, { maxLength: 12 }),
        fc.boolean(),
        fc.array(search, { minLength: 6, maxLength: 6 }),
        async (notes, isKept, searches) => {
          if (notes.length > 0) await addNotes(db, notes);
          if (isKept) await indexNotes(db);
          for (const { terms, from, after, ...page } of searches) {
            const known = notes[from % Math.max(1, notes.length)]?.text;
            const query = terms
              .map(([sign, text, start, length], n) => {
                const part =
                  n === 0 && known !== undefined ? known.slice(start, start + length) : text;
                return `${sign}"${part.replaceAll('"', '\\"')}"`;
              })
              .join(" ");
            const asked = {
              query,
              ...page,
              ...(after !== null && { at: { after_: minutesBefore(after) } }),
            };
            const found = await readNotes(db, NOTE_LIST, asked);
            expect(found, query).toEqual(await readNotes(db, PLAIN_NOTES, asked));
            if ((await stretchesOf(db.in(W1), query)).length > 1) skipping += 1;
          }
        },
      ),
      { numRuns: rounds(8, 30) },
    );
    expect(skipping).toBeGreaterThan(rounds(0, 10));
  });

  test("finds late rows at once, and by their block once that is made anew", async () => {
    await using opened = await open(noteMigrations);
    const { db } = opened;
    await addOldNotes(db);
    await indexNotes(db);
    expect(await lateOf(db)).toEqual([]);
    await addNotes(db, [
      { at: minutesBefore(400), text: "came late" },
      { at: minutesBefore(700), text: "came late too" },
      { at: minutesBefore(5), text: "came in time" },
    ]);
    expect(await lateOf(db)).toEqual(
      [700, 400].map((at) => ({ since: minutesBefore(at), until: minutesBefore(at) })),
    );
    const all = ["came in time", "came late", "came late too"];
    expect(await findTexts(db, "came")).toEqual(all);
    const touched = await rowsRead(db, "came");
    await indexNotes(db);
    expect(await lateOf(db)).toEqual([]);
    expect(await findTexts(db, "came")).toEqual(all);
    expect(await rowsRead(db, "nobodywritesthis")).toBeLessThan(touched);
  });

  test("takes rows for late that are older than ten minutes, and notes those together that are close", async () => {
    await using opened = await open(noteMigrations);
    const { db } = opened;
    const times = [-5, 0, 0.1, 5, 9.9, 10.1, 10.5, 11.4, 60, 3000];
    await addNotes(
      db,
      times.map((minutes) => ({ at: minutesBefore(minutes), text: "text" })),
    );
    expect(await lateOf(db)).toEqual([
      { since: minutesBefore(3000), until: minutesBefore(3000) },
      { since: minutesBefore(60), until: minutesBefore(60) },
      { since: minutesBefore(11.4), until: minutesBefore(10.1) },
    ]);
  });

  test("notes rows from all over a time together, where they would be many notes", async () => {
    await using opened = await open(noteMigrations);
    const { db } = opened;
    const times = [...Array.from({ length: 200 }, (_, n) => 600 + 5 * n), 90_000];
    await addNotes(
      db,
      times.map((minutes) => ({ at: minutesBefore(minutes), text: "text" })),
    );
    expect(await lateOf(db)).toEqual([
      { since: minutesBefore(90_000), until: minutesBefore(90_000) },
      { since: minutesBefore(1595), until: minutesBefore(600) },
    ]);
  });

  test("reads all that a note touches, where another begins and ends in the middle of it", async () => {
    await using opened = await open(noteMigrations);
    const { db } = opened;
    await addOldNotes(db);
    await indexNotes(db);
    const late = Array.from({ length: 101 }, (_, n) => ({
      at: minutesBefore(300 + n),
      text: `late ${n}`,
    }));
    await addNotes(db, late);
    await addNotes(db, [{ at: minutesBefore(390), text: "later" }]);
    await addNotes(db, [{ at: minutesBefore(310), text: "later" }]);
    expect(await readNotes(db, NOTE_LIST, { query: "late", limit: 200 })).toHaveLength(103);
    expect(await rowsRead(db, "nobodywritesthis")).toBeLessThan(103 + 101 + 20);
  });

  test("leaves other workspaces out", async () => {
    await using opened = await open(noteMigrations);
    const { db } = opened;
    await addOldNotes(db);
    await addNotes(db, [{ at: minutesBefore(300), text: "needle of another" }], W2);
    await indexNotes(db);
    expect(await findTexts(db, "needle")).toEqual([]);
    expect(new Set((await blocksOf(db)).map(({ workspace_id }) => workspace_id))).toEqual(
      new Set([W1]),
    );
  });
});

describeEachDatabase("keeping blocks", (open) => {
  test("takes in what is older than a quarter of an hour, in full blocks, one behind the other", async () => {
    await using opened = await open(noteMigrations);
    const { db } = opened;
    await addNotes(
      db,
      Array.from({ length: 30 }, (_, n) => ({ at: minutesBefore(n), text: "text" })),
    );
    expect(await indexNotes(db)).toBe(3);
    expect(await blocksOf(db)).toMatchObject([
      { since: "", until: minutesBefore(26) },
      { since: minutesBefore(26), until: minutesBefore(22) },
      { since: minutesBefore(22), until: minutesBefore(18) },
    ]);
  });

  test("writes nothing where there is nothing to do", async () => {
    await using opened = await open(noteMigrations);
    const { db } = opened;
    await addOldNotes(db);
    expect(await indexNotes(db)).toBe(200);
    const turn = await fencingTokenOf(db);
    expect(await indexNotes(db)).toBe(0);
    expect(await fencingTokenOf(db)).toBe(turn);
  });

  test("does not put a stretch into two blocks where two keep at the same time", async () => {
    await using opened = await open(noteMigrations);
    const { db } = opened;
    await addOldNotes(db);
    const keepers = [1, 2, 3].map(() => createTextBlocks({ db, clock: now }, NOTE_TEXTS));
    for (let pass = 0; pass < 4; pass += 1) await Promise.all(keepers.map((keep) => keep(signal)));
    await indexNotes(db);
    const blocks = await blocksOf(db);
    expect(blocks).toHaveLength(200);
    expect(blocks.slice(1).map(({ since }) => since)).toEqual(
      blocks.slice(0, -1).map(({ until }) => until),
    );
  });

  test("loses nothing that comes late while a block is being made of its time", async () => {
    await using opened = await open(noteMigrations);
    const { db } = opened;
    await addOldNotes(db);
    const takeNotes = createTextBlocks({ db, clock: now }, { ...NOTE_TEXTS, rowsPerBlock: 1000 });
    await takeNotes(signal);
    // Has read the rows of a block when the other comes, and writes it when another keeper has
    // taken its note.
    let hasRead = false;
    const slow: Database = {
      ...db,
      dialect: db.dialect,
      system: db.system,
      writeSystem: async (work) => {
        if (!hasRead) {
          hasRead = true;
          await addNotes(db, [{ at: minutesBefore(815), text: "needle" }]);
          expect(await lateOf(db)).toHaveLength(1);
          await takeNotes(signal);
        }
        return db.writeSystem(work);
      },
    };
    await createTextBlocks({ db: slow, clock: now }, NOTE_TEXTS)(signal);
    expect(await lateOf(db)).toEqual([]);
    expect(await findTexts(db, "needle")).toEqual(["needle"]);
    await indexNotes(db);
    expect(await findTexts(db, "needle")).toEqual(["needle"]);
  });

  test("fills what another keeper has taken away and not made anew", async () => {
    await using opened = await open(noteMigrations);
    const { db } = opened;
    await addOldNotes(db, 400);
    const keep = createTextBlocks({ db, clock: now }, NOTE_TEXTS);
    await keep(signal);
    await keep(signal);
    await addNotes(db, [{ at: minutesBefore(300.5), text: "needle" }]);
    await createTextBlocks({ db, clock: now }, NOTE_TEXTS)(AbortSignal.abort());
    expect(await lateOf(db)).toEqual([]);
    expect(await blocksOf(db)).toHaveLength(99);
    await keep(signal);
    expect(await blocksOf(db)).toHaveLength(100);
    expect(await findTexts(db, "needle")).toEqual(["needle"]);
  });

  test("forgets blocks of rows that are deleted, and makes others where rows come back", async () => {
    await using opened = await open(noteMigrations);
    const { db } = opened;
    await addOldNotes(db);
    await indexNotes(db);
    await deleteNotesBefore(db, minutesBefore(100));
    const keep = createTextBlocks({ db, clock: now }, NOTE_TEXTS);
    for (let pass = 0; pass < 6; pass += 1) await keep(signal);
    const left = await blocksOf(db);
    expect(left).toHaveLength(20);
    await addNotes(db, [{ at: minutesBefore(500), text: "restored" }]);
    await indexNotes(db);
    expect(await blocksOf(db)).toHaveLength(21);
    expect(await findTexts(db, "restored")).toEqual(["restored"]);
  });

  test("takes blocks back whose time is yet to come, when the clock was set back", async () => {
    await using opened = await open(noteMigrations);
    const { db } = opened;
    await addOldNotes(db);
    await indexNotes(db);
    const earlier = { nowMicros: () => now.nowMicros() - 7_200_000_000 };
    await createTextBlocks({ db, clock: earlier }, NOTE_TEXTS)(signal);
    expect((await blocksOf(db)).every(({ until }) => until <= minutesBefore(135))).toBe(true);
    expect(await findTexts(db, "nobodywritesthis")).toEqual([]);
  });

  test("takes in rows of one moment together, and texts that are too long as holding anything", async () => {
    await using opened = await open(noteMigrations);
    const { db } = opened;
    await addOldNotes(db);
    await addNotes(
      db,
      Array.from({ length: 10 }, (_, n) => ({ at: minutesBefore(50), text: `same moment ${n}` })),
    );
    await addNotes(db, [{ at: minutesBefore(60.5), text: `${"x".repeat(500_000)} longest` }]);
    await indexNotes(db);
    expect((await blocksOf(db)).find(({ until }) => until === minutesBefore(60.5))?.since).toBe(
      minutesBefore(61),
    );
    expect(await findTexts(db, "moment")).toHaveLength(10);
    expect((await findTexts(db, "longest")).map(({ length }) => length)).toEqual([500_008]);
    expect(await rowsRead(db, "nobodywritesthis")).toBeLessThan(20);
  });
});

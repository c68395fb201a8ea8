import { describe, expect, test } from "vitest";
import { describeEachDatabase } from "../testing/test-database.ts";
import { aThing, insertThing, selectThing, thingMigrations, W1, W2 } from "../testing/things.ts";
import type { Database } from "./database.ts";
import { rowInsert } from "./insert-rows.ts";

interface Sized {
  readonly is_on: boolean | null;
  readonly size: number | null;
}

const ROWS = { table: "parts", shared: { thing: "text" }, columns: { name: "text" } } as const;
const insertParts = rowInsert<{ name: string }, { thing: string }>({ ...ROWS, skipsKnown: false });
const addParts = rowInsert<{ name: string }, { thing: string }>({ ...ROWS, skipsKnown: true });
const insertThings = rowInsert<Sized & { name: string }, object>({
  table: "things",
  shared: {},
  columns: { name: "text", is_on: "flag", size: "integer" },
  skipsKnown: false,
});

const insertWithJson = rowInsert<{ name: string; data: string }, object>({
  table: "things",
  shared: {},
  columns: { name: "text", data: "json" },
  skipsKnown: false,
});

const partsOf = (db: Database) =>
  db.exclusively((session) =>
    session.rows<{ name: string; thing: string; workspace_id: string }>(
      "select name, thing, workspace_id from parts",
    ),
  );

describeEachDatabase("many rows at once", (open) => {
  const names = (count: number) => Array.from({ length: count }, (_, n) => ({ name: `part ${n}` }));

  describe.each([0, 1, 20, 21, 150])("%i of them", (count) => {
    test("are all written, with what they share", async () => {
      await using t = await open([thingMigrations]);
      await t.db.write(W1, async (tx) => {
        await tx.run(insertThing, aThing({ name: "lamp" }));
        insertParts(tx, { thing: "lamp" }, names(count));
      });
      const stored = await partsOf(t.db);
      expect(stored.toSorted((a, b) => (a.name < b.name ? -1 : 1))).toEqual(
        names(count)
          .map(({ name }) => ({ name, thing: "lamp", workspace_id: W1 }))
          .toSorted((a, b) => (a.name < b.name ? -1 : 1)),
      );
    });
  });

  test("keep JSON as it was written", async () => {
    await using t = await open([thingMigrations]);
    const rows = [
      { name: "spaced", data: '{"b": 1.0,"a":[ 12345678901234567890 ], "b": "\\u00fc"}' },
      { name: "half a character", data: '["\\ud800", "\\u0000"]' },
      { name: "nothing", data: "null" },
    ];
    await t.db.write(W1, async (tx) => insertWithJson(tx, {}, rows));
    for (const row of rows)
      expect(await t.db.in(W1).get(selectThing, { name: row.name })).toMatchObject(row);
  });

  test("keep their values as they are", async () => {
    await using t = await open([thingMigrations]);
    const rows = [
      { name: 'it\'s "quoted" \\ ünï 🚀\nline', is_on: true, size: 7 },
      { name: "", is_on: false, size: -(2 ** 53) + 1 },
      { name: "nothing", is_on: null, size: null },
    ];
    await t.db.write(W1, async (tx) => insertThings(tx, {}, rows));
    for (const row of rows)
      expect(await t.db.in(W1).get(selectThing, { name: row.name })).toMatchObject(row);
    expect(await t.db.in(W2).get(selectThing, { name: "nothing" })).toBeUndefined();
  });

  test("are refused together when one is there already, or it is left as it is", async () => {
    await using t = await open([thingMigrations]);
    await t.db.write(W1, async (tx) => {
      await tx.run(insertThing, aThing({ name: "lamp" }));
      await tx.run(insertThing, aThing({ name: "desk" }));
      insertParts(tx, { thing: "lamp" }, [{ name: "part 30" }]);
    });
    const again = t.db.write(W1, async (tx) => insertParts(tx, { thing: "desk" }, names(40)));
    await expect(again).rejects.toThrow();
    expect(await partsOf(t.db)).toHaveLength(1);
    await t.db.write(W1, async (tx) => addParts(tx, { thing: "desk" }, names(40)));
    expect(await partsOf(t.db)).toHaveLength(40);
    expect((await partsOf(t.db)).filter(({ thing }) => thing === "lamp")).toHaveLength(1);
  });
});

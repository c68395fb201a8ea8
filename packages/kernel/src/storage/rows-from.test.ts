import { expect, test } from "vitest";
import { describeEachDatabase } from "../testing/test-database.ts";
import { selectThing, statement, type Thing, thingMigrations, W1 } from "../testing/things.ts";

const insertThings = statement<{ rows: string }>()((db, p, dialect) => {
  const fields = { name: "text", data: "json", is_on: "flag", size: "integer" } as const;
  return db
    .insertInto("things")
    .columns(["workspace_id", "name", "data", "is_on", "size"])
    .expression((e) =>
      e
        .selectFrom(dialect.rowsFrom(fields, p.rows).$castTo<Thing>().as("item"))
        .select((row) => [
          row.cast<string>(row.val(p.workspace_id), dialect.types.id as "text").as("workspace_id"),
          "item.name",
          "item.data",
          "item.is_on",
          "item.size",
        ]),
    );
});

describeEachDatabase("many rows in one parameter", (open) => {
  test("are written by one statement, with the values as they are", async () => {
    await using t = await open([thingMigrations]);
    const rows = [
      { name: "lamp", data: { b: [1, null], a: "x" }, is_on: true, size: 7 },
      { name: 'it\'s "quoted" \\ ünï 🚀\nline', data: null, is_on: null, size: null },
      { name: "", data: "text", is_on: false, size: -(2 ** 53) + 1 },
    ];
    const count = await t.db.write(W1, (tx) =>
      tx.run(insertThings, { rows: JSON.stringify(rows) }),
    );
    expect(count).toBe(3);
    for (const { name, data, is_on, size } of rows) {
      const thing = await t.db.in(W1).get(selectThing, { name });
      expect(thing).toMatchObject({ name, is_on, size });
      expect(JSON.parse(thing?.data ?? "null")).toEqual(data);
    }
  });

  test("may be none", async () => {
    await using t = await open([thingMigrations]);
    expect(await t.db.write(W1, (tx) => tx.run(insertThings, { rows: "[]" }))).toBe(0);
  });
});

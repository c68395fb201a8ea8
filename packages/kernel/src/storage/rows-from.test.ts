import type { RawBuilder } from "kysely";
import { expect, test } from "vitest";
import { describeEachDatabase } from "../testing/test-database.ts";
import { selectThing, statement, type Thing, thingMigrations, W1 } from "../testing/things.ts";
import type { Dialect } from "./dialect.ts";

const OTHERS = { name: "text", is_on: "flag", size: "integer" } as const;

const insertion = (
  rowsOf: (p: { rows: string; data: string }, dialect: Dialect) => RawBuilder<unknown>,
) =>
  statement<{ rows: string; data: string }>()((db, p, dialect) =>
    db
      .insertInto("things")
      .columns(["workspace_id", "name", "data", "is_on", "size"])
      .expression((e) =>
        e
          .selectFrom(rowsOf(p, dialect).$castTo<Thing>().as("item"))
          .select((row) => [
            row
              .cast<string>(row.val(p.workspace_id), dialect.types.id as "text")
              .as("workspace_id"),
            "item.name",
            "item.data",
            "item.is_on",
            "item.size",
          ]),
      ),
  );

const insertThings = insertion((p, dialect) =>
  dialect.rowsFrom({ data: "json", ...OTHERS }, p.rows),
);
const insertWithData = insertion((p, dialect) =>
  dialect.rowsFrom(OTHERS, p.rows, { data: p.data }),
);

describeEachDatabase("many rows in one parameter", (open) => {
  test("are written by one statement, with the values as they are", async () => {
    await using t = await open([thingMigrations]);
    const rows = [
      { name: "lamp", data: { b: [1, null], a: "x" }, is_on: true, size: 7 },
      { name: 'it\'s "quoted" \\ ünï 🚀\nline', data: null, is_on: null, size: null },
      { name: "", data: "text", is_on: false, size: -(2 ** 53) + 1 },
    ];
    const count = await t.db.write(W1, (tx) =>
      tx.run(insertThings, { rows: JSON.stringify(rows), data: "" }),
    );
    expect(count).toBe(3);
    for (const { name, data, is_on, size } of rows) {
      const thing = await t.db.in(W1).get(selectThing, { name });
      expect(thing).toMatchObject({ name, is_on, size });
      expect(JSON.parse(thing?.data ?? "null")).toEqual(data);
    }
  });

  test("take JSON from beside them, one for each and as it was written", async () => {
    await using t = await open([thingMigrations]);
    const data = ['{"b":1.0,"a":[12345678901234567890]}', '"\\ud800\\u0000"', "null", "[]"];
    const rows = data.map((_, n) => ({ name: `thing ${n}`, is_on: null, size: n }));
    await t.db.write(W1, (tx) =>
      tx.run(insertWithData, { rows: JSON.stringify(rows), data: `[${data.join(",")}]` }),
    );
    for (const [n, text] of data.entries())
      expect(await t.db.in(W1).get(selectThing, { name: `thing ${n}` })).toMatchObject({
        data: text,
        size: n,
      });
  });

  test("may be none", async () => {
    await using t = await open([thingMigrations]);
    expect(await t.db.write(W1, (tx) => tx.run(insertThings, { rows: "[]", data: "" }))).toBe(0);
  });
});

import { expect, test } from "vitest";
import { describeEachDatabase } from "../testing/test-database.ts";
import {
  aThing,
  insertThing,
  systemStatement,
  thingMigrations,
  W1,
  W2,
} from "../testing/things.ts";
import { idRows, idTable, listedIds } from "./listed-ids.ts";

const W3 = "00000000-0000-4000-8000-000000000003";

const among = systemStatement<{ ids: string }>()((db, p, dialect) =>
  db
    .selectFrom("things")
    .select("name")
    .where("workspace_id", "in", listedIds(dialect, p.ids))
    .orderBy("name"),
);

const joined = systemStatement<{ ids: string }>()((db, p, dialect) =>
  db
    .selectFrom(idTable(dialect, p.ids))
    .leftJoin("things", "things.workspace_id", "listed.id")
    .select(["listed.id", "things.name"])
    .orderBy("listed.id"),
);

describeEachDatabase("many ids in one parameter", (open) => {
  test("are what a column may be among, however many they are", async () => {
    await using t = await open([thingMigrations]);
    await t.db.write(W1, (tx) => tx.run(insertThing, aThing({ name: "lamp" })));
    await t.db.write(W2, (tx) => tx.run(insertThing, aThing({ name: "chair" })));
    const namesIn = async (ids: readonly string[]) =>
      (await t.db.system.all(among, { ids: idRows(ids) })).map(({ name }) => name);
    expect(await namesIn([W1])).toEqual(["lamp"]);
    expect(await namesIn([W2, W3, W1, W2])).toEqual(["chair", "lamp"]);
    expect(await namesIn([])).toEqual([]);
  });

  test("are rows that can be joined, those that lead to nothing as well", async () => {
    await using t = await open([thingMigrations]);
    await t.db.write(W1, (tx) => tx.run(insertThing, aThing({ name: "lamp" })));
    expect(await t.db.system.all(joined, { ids: idRows(new Set([W3, W1])) })).toEqual([
      { id: W1, name: "lamp" },
      { id: W3, name: null },
    ]);
  });
});

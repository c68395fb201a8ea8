import { expect, test } from "vitest";
import { describeEachDatabase } from "../testing/test-database.ts";
import type { MigrationList } from "./migrate.ts";
import { statementsFor } from "./statement.ts";

const W1 = "00000000-0000-4000-8000-000000000001";
const W2 = "00000000-0000-4000-8000-000000000002";

const things: MigrationList = {
  component: "things",
  migrations: [
    {
      name: "things",
      up: (t) => `create table things (
        workspace_id ${t.id} not null, name ${t.text} not null, data ${t.json}, is_on ${t.flag}, size ${t.integer},
        primary key (workspace_id, name)
      )`,
    },
  ],
};

interface Thing {
  name: string;
  data: string | null;
  is_on: boolean;
  size: number;
}
const { statement } = statementsFor<{ things: Thing & { workspace_id: string } }>();

const insertThing = statement<Thing>()((db, p) =>
  db.insertInto("things").values({
    workspace_id: p.workspace_id,
    name: p.name,
    data: p.data,
    is_on: p.is_on,
    size: p.size,
  }),
);
const selectThing = statement<{ name: string }>()((db, p) =>
  db
    .selectFrom("things")
    .select(["name", "data", "size"])
    .where("workspace_id", "=", p.workspace_id)
    .where("name", "=", p.name),
);
const countThings = statement()((db, p) =>
  db
    .selectFrom("things")
    .select((e) => e.fn.countAll<number>().as("count"))
    .where("workspace_id", "=", p.workspace_id),
);

const aThing = (name: string): Thing => ({ name, data: '{"b": 1,"a":[1.0]}', is_on: true, size: 7 });

describeEachDatabase("a database", (open) => {
  test("reads back what a write committed, JSON as it was written", async () => {
    await using t = await open([things]);
    await t.db.write(W1, (tx) => tx.run(insertThing, aThing("lamp")));
    expect(await t.db.in(W1).get(selectThing, { name: "lamp" })).toEqual({
      name: "lamp",
      data: '{"b": 1,"a":[1.0]}',
      size: 7,
    });
  });

  test("keeps the rows of workspaces apart", async () => {
    await using t = await open([things]);
    await t.db.write(W1, (tx) => tx.run(insertThing, aThing("lamp")));
    expect(await t.db.in(W2).get(selectThing, { name: "lamp" })).toBeUndefined();
    await t.db.write(W2, (tx) => tx.run(insertThing, aThing("lamp")));
    expect(await t.db.in(W2).get(countThings, {})).toEqual({ count: 1 });
  });

  test("takes back all of a write that fails, and nothing of the writes beside it", async () => {
    await using t = await open([things]);
    const writes = ["a", "b", "c"].map((name) =>
      t.db.write(W1, async (tx) => {
        await tx.run(insertThing, aThing(name));
        if (name === "b") throw new Error("second thoughts");
      }),
    );
    const outcomes = await Promise.allSettled(writes);
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(await t.db.in(W1).get(countThings, {})).toEqual({ count: 2 });
  });

  test("says conflict when a unique key is taken", async () => {
    await using t = await open([things]);
    await t.db.write(W1, (tx) => tx.run(insertThing, aThing("lamp")));
    await expect(t.db.write(W1, (tx) => tx.run(insertThing, aThing("lamp")))).rejects.toMatchObject({
      code: "conflict",
    });
  });

  test("shows a write to no reader before it is committed", async () => {
    await using t = await open([things]);
    const reader = t.db.in(W1);
    await t.db.write(W1, async (tx) => {
      await tx.run(insertThing, aThing("lamp"));
      expect(await tx.get(countThings, {})).toEqual({ count: 1 });
      expect(await reader.get(countThings, {})).toEqual({ count: 0 });
    });
    expect(await reader.get(countThings, {})).toEqual({ count: 1 });
  });

  test("nudges after the commit and never after a failed write", async () => {
    await using t = await open([things]);
    let nudges = 0;
    t.db.nudges.on("things", () => {
      nudges += 1;
    });
    await t.db.write(W1, async (tx) => {
      tx.nudge("things");
      expect(nudges).toBe(0);
    });
    expect(nudges).toBe(1);
    await t.db
      .write(W1, async (tx) => {
        tx.nudge("things");
        throw new Error("second thoughts");
      })
      .catch(() => {});
    expect(nudges).toBe(1);
  });
});

import { expect, test } from "vitest";
import { describeEachDatabase } from "../testing/test-database.ts";
import {
  aThing,
  countThings,
  insertPart,
  insertThing,
  resizeThing,
  selectThing,
  statement,
  thingMigrations,
  W1,
  W2,
} from "../testing/things.ts";
import type { Transaction } from "./database.ts";

const sumSizes = statement()((db, p) =>
  db
    .selectFrom("things")
    .select((e) => [e.fn.sum<number>("size").as("total"), e.fn.avg<number>("size").as("mean")])
    .where("workspace_id", "=", p.workspace_id),
);

const switchedOn = statement<{ is_on: boolean }>()((db, p) =>
  db
    .selectFrom("things")
    .select(["name", "is_on"])
    .where("workspace_id", "=", p.workspace_id)
    .where("is_on", "=", p.is_on)
    .orderBy("name"),
);

describeEachDatabase("a database", (open) => {
  test("reads back what a write committed, JSON as it was written", async () => {
    await using t = await open([thingMigrations]);
    await t.db.write(W1, (tx) => tx.run(insertThing, aThing()));
    expect(await t.db.in(W1).get(selectThing, { name: "lamp" })).toEqual({
      name: "lamp",
      data: '{"b": 1,"a":[1.0]}',
      is_on: true,
      size: 7,
    });
  });

  test("keeps NULL apart from false, zero and empty", async () => {
    await using t = await open([thingMigrations]);
    const nothing = aThing({ name: "nothing", data: null, is_on: null, size: null });
    const little = aThing({ name: "little", data: '""', is_on: false, size: 0 });
    await t.db.write(W1, async (tx) => {
      await tx.run(insertThing, nothing);
      await tx.run(insertThing, little);
    });
    expect(await t.db.in(W1).get(selectThing, { name: "nothing" })).toEqual(nothing);
    expect(await t.db.in(W1).get(selectThing, { name: "little" })).toEqual(little);
  });

  test("takes and gives booleans, in one row and in many", async () => {
    await using t = await open([thingMigrations]);
    await t.db.write(W1, async (tx) => {
      await tx.run(insertThing, aThing({ name: "a", is_on: true }));
      await tx.run(insertThing, aThing({ name: "b", is_on: false }));
      await tx.run(insertThing, aThing({ name: "c", is_on: true }));
    });
    const reader = t.db.in(W1);
    expect(await reader.all(switchedOn, { is_on: true })).toEqual([
      { name: "a", is_on: true },
      { name: "c", is_on: true },
    ]);
    expect(await reader.get(switchedOn, { is_on: false })).toEqual({ name: "b", is_on: false });
  });

  test("gives counts, sums and averages as numbers", async () => {
    await using t = await open([thingMigrations]);
    await t.db.write(W1, async (tx) => {
      await tx.run(insertThing, aThing({ name: "a", size: 2 ** 40 }));
      await tx.run(insertThing, aThing({ name: "b", size: 2 }));
    });
    expect(await t.db.in(W1).get(countThings, {})).toEqual({ count: 2 });
    expect(await t.db.in(W1).get(sumSizes, {})).toEqual({ total: 2 ** 40 + 2, mean: 2 ** 39 + 1 });
  });

  test("tells how many rows a change touched", async () => {
    await using t = await open([thingMigrations]);
    const touched = await t.db.write(W1, async (tx) => [
      await tx.run(insertThing, aThing()),
      await tx.run(resizeThing, { name: "lamp", size: 8 }),
      await tx.run(resizeThing, { name: "none", size: 8 }),
    ]);
    expect(touched).toEqual([1, 1, 0]);
  });

  test("refuses a statement whose value was forgotten, and does not take it for NULL", async () => {
    await using t = await open([thingMigrations]);
    const { size: _, ...forgetful } = aThing();
    const write = t.db.write(W1, (tx) =>
      tx.run(insertThing, forgetful as ReturnType<typeof aThing>),
    );
    await expect(write).rejects.toThrow("size");
    expect(await t.db.in(W1).get(countThings, {})).toEqual({ count: 0 });
  });

  test("takes SQL in a value for the text that it is", async () => {
    await using t = await open([thingMigrations]);
    const name = `'; drop table things; -- $1 ?1 "`;
    await t.db.write(W1, (tx) => tx.run(insertThing, aThing({ name })));
    expect(await t.db.in(W1).get(selectThing, { name })).toMatchObject({ name });
  });

  test("keeps the rows of workspaces apart", async () => {
    await using t = await open([thingMigrations]);
    await t.db.write(W1, (tx) => tx.run(insertThing, aThing()));
    expect(await t.db.in(W2).get(selectThing, { name: "lamp" })).toBeUndefined();
    await t.db.write(W2, (tx) => tx.run(insertThing, aThing({ size: 2 })));
    await t.db.write(W2, (tx) => tx.run(resizeThing, { name: "lamp", size: 3 }));
    expect(await t.db.in(W2).get(countThings, {})).toEqual({ count: 1 });
    expect(await t.db.in(W1).get(selectThing, { name: "lamp" })).toMatchObject({ size: 7 });
  });

  test("changes several workspaces in one system write, or none of them", async () => {
    await using t = await open([thingMigrations]);
    const addToBoth = (name: string, isSure: boolean) =>
      t.db.writeSystem(async (tx) => {
        await tx.inWorkspace(W1).run(insertThing, aThing({ name }));
        await tx.inWorkspace(W2).run(insertThing, aThing({ name }));
        if (!isSure) throw new Error("second thoughts");
      });
    await addToBoth("kept", true);
    await expect(addToBoth("dropped", false)).rejects.toThrow("second thoughts");
    expect(await t.db.in(W1).get(countThings, {})).toEqual({ count: 1 });
    expect(await t.db.in(W2).get(countThings, {})).toEqual({ count: 1 });
  });

  test("gives no workspace to a transaction that has none", async () => {
    await using t = await open([thingMigrations]);
    await t.db.writeSystem(async (tx) => {
      expect(tx.inWorkspace(W1).workspaceId).toBe(W1);
      expect(() => (tx as unknown as Transaction).workspaceId).toThrow("no workspace");
    });
  });

  test("takes back all of a write that fails, and nothing of the writes beside it", async () => {
    await using t = await open([thingMigrations]);
    const writes = ["a", "b", "c"].map((name) =>
      t.db.write(W1, async (tx) => {
        await tx.run(insertThing, aThing({ name }));
        if (name === "b") throw new Error("second thoughts");
        return name;
      }),
    );
    const outcomes = await Promise.allSettled(writes);
    expect(outcomes).toMatchObject([
      { status: "fulfilled", value: "a" },
      { status: "rejected", reason: { message: "second thoughts" } },
      { status: "fulfilled", value: "c" },
    ]);
    expect(await t.db.in(W1).get(countThings, {})).toEqual({ count: 2 });
  });

  test("does all that 64 concurrent writers ask of it", async () => {
    await using t = await open([thingMigrations]);
    await Promise.all(
      Array.from({ length: 64 }, (_, n) =>
        t.db.write(W1, async (tx) => {
          await tx.run(insertThing, aThing({ name: `thing ${n}`, size: 0 }));
          expect(await tx.run(resizeThing, { name: `thing ${n}`, size: n })).toBe(1);
        }),
      ),
    );
    expect(await t.db.in(W1).get(sumSizes, {})).toMatchObject({ total: (63 * 64) / 2 });
  });

  test("says conflict when a unique key is taken", async () => {
    await using t = await open([thingMigrations]);
    await t.db.write(W1, (tx) => tx.run(insertThing, aThing()));
    await expect(t.db.write(W1, (tx) => tx.run(insertThing, aThing()))).rejects.toMatchObject({
      code: "conflict",
    });
  });

  test("says conflict when the row that a foreign key names is not there", async () => {
    await using t = await open([thingMigrations]);
    const add = () => t.db.write(W1, (tx) => tx.run(insertPart, { name: "bulb", thing: "lamp" }));
    await expect(add()).rejects.toMatchObject({ code: "conflict" });
    await t.db.write(W2, (tx) => tx.run(insertThing, aThing()));
    await expect(add()).rejects.toMatchObject({ code: "conflict" });
    await t.db.write(W1, (tx) => tx.run(insertThing, aThing()));
    expect(await add()).toBe(1);
  });

  test("commits nothing of a write whose statement failed, even if it carries on", async () => {
    await using t = await open([thingMigrations]);
    await t.db.write(W1, (tx) => tx.run(insertThing, aThing()));
    const stubborn = t.db.write(W1, async (tx) => {
      await tx.run(insertThing, aThing({ name: "before" }));
      await tx.run(insertThing, aThing()).catch(() => {});
      await expect(tx.run(insertThing, aThing({ name: "after" }))).rejects.toMatchObject({
        code: "conflict",
      });
      return "done";
    });
    await expect(stubborn).rejects.toMatchObject({ code: "conflict" });
    expect(await t.db.in(W1).get(countThings, {})).toEqual({ count: 1 });
  });

  test("does what it was only told, in its order, before what is waited for", async () => {
    await using t = await open([thingMigrations]);
    const seen = await t.db.write(W1, async (tx) => {
      tx.enqueue(insertThing, aThing({ size: 1 }));
      tx.enqueue(resizeThing, { name: "lamp", size: 2 });
      const between = await tx.get(selectThing, { name: "lamp" });
      tx.enqueue(resizeThing, { name: "lamp", size: 3 });
      return between?.size;
    });
    expect(seen).toBe(2);
    expect(await t.db.in(W1).get(selectThing, { name: "lamp" })).toEqual(aThing({ size: 3 }));
  });

  test("commits nothing of a write that was told to do what cannot be done, and says why", async () => {
    await using t = await open([thingMigrations]);
    await t.db.write(W1, (tx) => tx.run(insertThing, aThing()));
    const atTheEnd = t.db.write(W1, async (tx) => {
      await tx.run(insertThing, aThing({ name: "desk" }));
      tx.enqueue(insertThing, aThing());
    });
    await expect(atTheEnd).rejects.toMatchObject({ code: "conflict" });
    const before = t.db.write(W1, async (tx) => {
      tx.enqueue(insertThing, aThing());
      await tx.run(insertThing, aThing({ name: "desk" }));
    });
    await expect(before).rejects.toMatchObject({ code: "conflict" });
    expect(await t.db.in(W1).get(countThings, {})).toEqual({ count: 1 });
  });

  test("is told nothing by a write that is over", async () => {
    await using t = await open([thingMigrations]);
    let kept: Transaction | undefined;
    await t.db.write(W1, async (tx) => {
      kept = tx;
    });
    expect(() => kept?.enqueue(insertThing, aThing())).toThrow("over");
    expect(await t.db.in(W1).get(countThings, {})).toEqual({ count: 0 });
  });

  test("shows a write to no reader before it is committed, and makes no reader wait", async () => {
    await using t = await open([thingMigrations]);
    const reader = t.db.in(W1);
    await t.db.write(W1, async (tx) => {
      await tx.run(insertThing, aThing());
      expect(await tx.get(countThings, {})).toEqual({ count: 1 });
      expect(await reader.get(countThings, {})).toEqual({ count: 0 });
    });
    expect(await reader.get(countThings, {})).toEqual({ count: 1 });
  });

  test.each([true, false])(
    "refuses a statement once its write is over (committed: %s)",
    async (commits) => {
      await using t = await open([thingMigrations]);
      let leaked: Transaction | undefined;
      const write = t.db.write(W1, async (tx) => {
        leaked = tx;
        if (!commits) throw new Error("second thoughts");
      });
      await write.catch(() => {});
      await expect(leaked?.run(insertThing, aThing())).rejects.toThrow("over");
      await expect(leaked?.get(countThings, {})).rejects.toThrow("over");
      expect(await t.db.in(W1).get(countThings, {})).toEqual({ count: 0 });
    },
  );

  test("finishes the writes under way when it is closed, and refuses later ones", async () => {
    await using t = await open([thingMigrations]);
    const add = (name: string) => t.db.write(W1, (tx) => tx.run(insertThing, aThing({ name })));
    const begun = Array.from({ length: 20 }, (_, n) => add(`thing ${n}`));
    const closed = t.db.close();
    await expect(add("late")).rejects.toThrow("closed");
    expect(await Promise.all(begun)).toEqual(begun.map(() => 1));
    await closed;
    await expect(add("later")).rejects.toThrow("closed");
    await expect(t.db.in(W1).get(countThings, {})).rejects.toThrow();
    await expect(t.db.ping()).rejects.toThrow();
    await t.db.close();
  });

  test("nudges after the commit and never after a failed write", async () => {
    await using t = await open([thingMigrations]);
    // A call to all topics may come at any time and counts for none.
    let nudges = 0;
    t.db.wakeUps.on("things", () => {
      nudges += 1;
    });
    t.db.wakeUps.on("another topic", () => {
      nudges -= 1;
    });
    await t.db.write(W1, async (tx) => {
      tx.notify("things");
      tx.notify("things");
      expect(nudges).toBe(0);
    });
    expect(nudges).toBe(1);
    await t.db
      .write(W1, async (tx) => {
        tx.notify("things");
        throw new Error("second thoughts");
      })
      .catch(() => {});
    expect(nudges).toBe(1);
  });

  test("holds neither a write nor other listeners responsible for a listener that fails", async () => {
    await using t = await open([thingMigrations]);
    const heard: string[] = [];
    t.db.wakeUps.on("things", () => {
      throw new Error("a mistake of the listener");
    });
    t.db.wakeUps.on("things", () => heard.push("second"));
    await t.db.write(W1, async (tx) => {
      await tx.run(insertThing, aThing());
      tx.notify("things");
    });
    expect(heard).toContain("second");
    expect(await t.db.write(W1, (tx) => tx.run(resizeThing, { name: "lamp", size: 1 }))).toBe(1);
  });
});

import { expect, test } from "vitest";
import {
  allThings,
  deleteEveryThing,
  everyThing,
  openThings,
  resizeEveryThing,
  smuggleThing,
} from "../../testing/confined-things.ts";
import {
  aThing,
  countThings,
  insertThing,
  lockedThing,
  selectThing,
  W1,
  W2,
} from "../../testing/things.ts";
import { until } from "../../testing/until.ts";
import type { Database, Queries } from "../database.ts";

const names = async (queries: Queries): Promise<string[]> =>
  (await queries.all(everyThing, {})).map(({ name }) => name);
const COUNT_ALL = "select count(*) as count from things";
const sizeIn = async (db: Database, workspace: string) =>
  (await db.in(workspace).get(selectThing, { name: "lamp" }))?.size;

/** One connection for all, so that each statement finds what the one before left. */
async function openConfined(maxConnections = 2) {
  const things = await openThings();
  const db = things.open(things.url, maxConnections);
  expect(await things.confine(db)).toEqual({ state: "on" });
  await db.write(W2, (tx) => tx.run(insertThing, aThing({ name: "vase" })));
  return { ...things, db, [Symbol.asyncDispose]: () => things[Symbol.asyncDispose]() };
}

test("a statement that forgets its workspace sees the rows of that one only", async () => {
  await using t = await openConfined();
  expect(await names(t.db.in(W1))).toEqual(["lamp"]);
  expect(await names(t.db.in(W2))).toEqual(["lamp", "vase"]);
  const count = { sql: "select count(*) as count from things", values: [] };
  expect(await t.db.in(W1).select(count)).toEqual({ count: 1 });
  expect(await t.db.write(W1, names)).toEqual(["lamp"]);
});

test("a statement that forgets its workspace changes and deletes the rows of that one only", async () => {
  await using t = await openConfined();
  expect(await t.db.write(W1, (tx) => tx.run(resizeEveryThing, { size: 1 }))).toBe(1);
  expect(await sizeIn(t.db, W2)).toBe(7);
  expect(await t.db.write(W1, (tx) => tx.run(deleteEveryThing, {}))).toBe(1);
  expect(await t.db.in(W2).get(countThings, {})).toEqual({ count: 2 });
});

test("writes of several workspaces that are done together each see and change their own rows", async () => {
  await using t = await openConfined(5);
  const growAll = (workspace: string, size: number) =>
    t.db.write(workspace, async (tx) => {
      const held = await tx.lockRow(lockedThing, { name: "lamp" });
      tx.enqueue(resizeEveryThing, { size });
      const count = tx.enqueueReturning(countThings, {});
      return () => [held?.size, count.answer()];
    });
  const work = [growAll(W1, 1), growAll(W2, 2), growAll(W1, 1), growAll(W2, 2)];
  const seen = (await Promise.all(work)).map((answer) => answer()[1]);
  expect(seen).toEqual([{ count: 1 }, { count: 2 }, { count: 1 }, { count: 2 }]);
  expect([await sizeIn(t.db, W1), await sizeIn(t.db, W2)]).toEqual([1, 2]);
});

test("one that reaches for another workspace fails alone among those it was done with", async () => {
  await using t = await openConfined(5);
  const ask = (workspace: string) =>
    t.db.write(workspace, async (tx) => {
      tx.enqueue(resizeEveryThing, { size: 5 });
      return tx.enqueueReturning(countThings, {});
    });
  const smuggled = t.db.write(W1, async (tx) =>
    tx.enqueue(smuggleThing, { into: W2, name: "parcel" }),
  );
  const [first, failed, last] = await Promise.allSettled([ask(W1), smuggled, ask(W2)]);
  expect(failed).toMatchObject({ status: "rejected" });
  expect(first.status === "fulfilled" && first.value.answer()).toEqual({ count: 1 });
  expect(last.status === "fulfilled" && last.value.answer()).toEqual({ count: 2 });
});

test("nothing can be written into another workspace", async () => {
  await using t = await openConfined();
  const smuggled = t.db.write(W1, (tx) => tx.run(smuggleThing, { into: W2, name: "parcel" }));
  await expect(smuggled).rejects.toThrow("row-level security");
  expect(await names(t.db.in(W2))).toEqual(["lamp", "vase"]);
});

test("what belongs to no workspace is out of reach, but for reading what is for all", async () => {
  await using t = await openConfined();
  const run = (sql: string) => t.db.in(W1).select({ sql, values: [] });
  await expect(run("select count(*) from keys")).rejects.toThrow("permission denied");
  expect(await run("select body from notices")).toEqual({ body: "for all" });
  await expect(run("delete from notices")).rejects.toThrow("permission denied");
});

test("a view shows the rows of the workspace only", async () => {
  await using t = await openConfined();
  const sql = "select string_agg(workspace_id::text, ',') as found from large_things";
  expect(await t.db.in(W1).select({ sql, values: [] })).toEqual({ found: W1 });
});

test("statements of the system see all workspaces, also right behind one of a workspace", async () => {
  await using t = await openConfined();
  for (let turn = 0; turn < 3; turn += 1) {
    expect(await names(t.db.in(W1))).toEqual(["lamp"]);
    expect(await t.db.system.all(allThings, {})).toHaveLength(3);
  }
  await t.db.writeSystem(async (tx) => {
    expect(await tx.all(allThings, {})).toHaveLength(3);
    expect(await names(tx.inWorkspace(W1))).toEqual(["lamp"]);
    expect(await tx.all(allThings, {})).toHaveLength(3);
  });
  expect(await names(t.db.in(W1))).toEqual(["lamp"]);
  await t.db.exclusively(async (session) => {
    expect(await session.rows("select name from things")).toHaveLength(3);
  });
});

test("each of several statements under way in one transaction is confined to its own workspace", async () => {
  await using t = await openConfined();
  await t.db.writeSystem(async (tx) => {
    const found = await Promise.all([
      names(tx.inWorkspace(W1)),
      names(tx.inWorkspace(W2)),
      tx.all(allThings, {}),
      names(tx.inWorkspace(W1)),
    ]);
    expect(found.map(({ length }) => length)).toEqual([1, 2, 3, 1]);
  });
});

test("what a transaction only tells is confined to its workspace as well", async () => {
  await using t = await openConfined();
  await t.db.writeSystem(async (tx) => {
    tx.inWorkspace(W1).enqueue(resizeEveryThing, { size: 1 });
    tx.inWorkspace(W2).enqueue(resizeEveryThing, { size: 2 });
  });
  expect([await sizeIn(t.db, W1), await sizeIn(t.db, W2)]).toEqual([1, 2]);
  const smuggled = t.db.write(W1, async (tx) => {
    tx.enqueue(smuggleThing, { into: W2, name: "parcel" });
  });
  await expect(smuggled).rejects.toThrow("row-level security");
  expect(await names(t.db.in(W2))).toEqual(["lamp", "vase"]);
});

test("what a transaction that is taken back was confined to does not outlive it", async () => {
  await using t = await openConfined();
  expect(await names(t.db.in(W2))).toEqual(["lamp", "vase"]);
  const givenUp = t.db.write(W1, async (tx) => {
    await names(tx);
    throw new Error("second thoughts");
  });
  await expect(givenUp).rejects.toThrow("second thoughts");
  expect(await names(t.db.in(W1))).toEqual(["lamp"]);
  const failed = t.db.write(W2, async (tx) => {
    await tx.select({ sql: "select 1 / 0", values: [] });
  });
  await expect(failed).rejects.toThrow("zero");
  expect(await names(t.db.in(W1))).toEqual(["lamp"]);
  expect(await t.db.system.all(allThings, {})).toHaveLength(3);
});

test("a statement that fails leaves the connection to others as if it had not been", async () => {
  await using t = await openConfined();
  const fails = { sql: "select 1 / (select count(*) - 1 from things)", values: [] };
  for (let turn = 0; turn < 3; turn += 1) {
    await expect(t.db.in(W1).select(fails)).rejects.toThrow("zero");
    expect(await names(t.db.in(W2))).toEqual(["lamp", "vase"]);
    const write = t.db.write(W1, (tx) => tx.select(fails));
    await expect(write).rejects.toThrow("zero");
    expect(await t.db.write(W2, names)).toEqual(["lamp", "vase"]);
  }
});

test("connections that were lost are confined again when they are back", async () => {
  await using t = await openConfined(4);
  await Promise.all([W1, W2, W1].map((workspace) => names(t.db.in(workspace))));
  await t.admin.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
  );
  await until(async () => expect(await names(t.db.in(W1))).toEqual(["lamp"]));
  await until(async () => expect(await t.db.system.all(allThings, {})).toHaveLength(3));
});

test("many at once, of several workspaces on few connections, see their own rows", async () => {
  await using t = await openConfined(4);
  const found = await Promise.all(
    Array.from({ length: 60 }, (_, n) => {
      if (n % 5 === 4) return t.db.system.all(allThings, {});
      const workspace = n % 2 === 0 ? W1 : W2;
      return n % 3 === 0 ? t.db.write(workspace, names) : names(t.db.in(workspace));
    }),
  );
  expect(found.map(({ length }) => length)).toEqual(
    Array.from({ length: 60 }, (_, n) => (n % 5 === 4 ? 3 : n % 2 === 0 ? 1 : 2)),
  );
});

test("reads behind one that fails, on the connection they share, see their own rows and no others", async () => {
  await using t = await openConfined();
  const forgetful = { ...countThings, compiledFor: () => ({ sql: COUNT_ALL, slots: [] }) };
  for (const [before, here, count] of [
    [W2, W1, 1],
    [W1, W2, 2],
    [null, W1, 1],
  ] as const) {
    const first = before === null ? t.db.system.get(allThings, {}) : sizeIn(t.db, before);
    const [, failed, size, counted] = await Promise.allSettled([
      first,
      t.db.in(here).get(selectThing, { name: "zero \0 byte" }),
      sizeIn(t.db, here),
      t.db.in(here).get(forgetful, {}),
    ]);
    expect(failed.status).toBe("rejected");
    expect([size, counted]).toMatchObject([{ value: 7 }, { value: { count } }]);
  }
});

test("reads of the system behind one that fails see all workspaces", async () => {
  await using t = await openConfined();
  const failing = { ...allThings, compiledFor: () => ({ sql: "select 1/0", slots: [] }) };
  const everything = { ...allThings, compiledFor: () => ({ sql: COUNT_ALL, slots: [] }) };
  const [, , counted] = await Promise.allSettled([
    sizeIn(t.db, W1),
    t.db.system.get(failing, {}),
    t.db.system.get(everything, {}),
  ]);
  expect(counted).toMatchObject({ value: { count: 3 } });
});

test("writes that were sent together and taken back leave the connection to others as if they had not been", async () => {
  await using t = await openConfined();
  for (const [workspace, other] of [
    [W1, W2],
    [W2, W1],
  ] as const) {
    const size = await sizeIn(t.db, other);
    const tell = (name: string) =>
      t.db.write(workspace, async (tx) => tx.enqueue(insertThing, aThing({ name })));
    const results = await Promise.allSettled([tell("lamp"), tell("rug"), tell("sofa")]);
    expect(results.map(({ status }) => status)).toEqual(["rejected", "fulfilled", "fulfilled"]);
    expect(await sizeIn(t.db, other)).toBe(size);
    expect(await names(t.db.in(workspace))).toEqual(
      expect.arrayContaining(["lamp", "rug", "sofa"]),
    );
  }
});

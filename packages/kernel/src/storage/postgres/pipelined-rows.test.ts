import { expect, test } from "vitest";
import { openPostgresThings } from "../../testing/postgres-things.ts";
import { aThing, countThings, insertThing, statement, W1, W2 } from "../../testing/things.ts";
import { rowInsert } from "../insert-rows.ts";

const NAMES = Array.from({ length: 20 }, (_, n) => `thing ${n}`);

const insertThings = rowInsert<{ name: string }, object>({
  table: "things",
  shared: {},
  columns: { name: "text" },
  skipsKnown: false,
});

const insertForgotten = statement<{ rows: string }>()((db, p) =>
  db.insertInto("things").values({ workspace_id: p.workspace_id, name: p.rows }),
);

async function openThings() {
  const things = await openPostgresThings();
  const { db } = things;
  return {
    ...things,
    tell: (name: string, workspace = W1) =>
      db.write(workspace, async (tx) => insertThings(tx, {}, [{ name }])),
    count: async (workspace = W1) => (await db.in(workspace).get(countThings, {}))?.count,
    /** So that all of it waits for the same commit. */
    async atOnce<T>(work: () => Promise<T>[]): Promise<PromiseSettledResult<T>[]> {
      const release = await things.holdAll();
      const done = Promise.allSettled(work());
      await release();
      return done;
    },
  };
}

test("rows of writes that share a commit are added by one statement for each workspace", async () => {
  await using t = await openThings();
  await t.atOnce(() => NAMES.flatMap((name) => [t.tell(name), t.tell(name, W2)]));
  expect([await t.count(), await t.count(W2)]).toEqual([20, 20]);
  // Rows of one statement have the same number of it in their transaction.
  const { rows } = await t.admin.query(
    "select count(distinct (xmin::text, cmin::text))::int as statements from things",
  );
  const [{ statements }] = rows as [{ statements: number }];
  expect(statements).toBeGreaterThanOrEqual(2);
  expect(statements).toBeLessThan(10);
});

test("a row that cannot be added fails the write that told of it, and no other", async () => {
  await using t = await openThings();
  await t.tell("thing 7");
  const results = await t.atOnce(() => NAMES.map((name) => t.tell(name)));
  const failed = results.flatMap((result, n) => (result.status === "rejected" ? [n] : []));
  expect(failed).toEqual([7]);
  expect(results[7]).toMatchObject({ reason: { code: "conflict" } });
  expect(await t.count()).toBe(20);
  // The others share once more.
  expect(t.commits.length).toBeLessThan(15);
});

test("rows that cannot be sent are not left out of what is committed", async () => {
  await using t = await openThings();
  const results = await t.atOnce(() => [
    t.tell("first"),
    t.db.write(W1, async (tx) => {
      tx.enqueue(insertThing, aThing({ name: "second" }));
      tx.enqueueRows(insertForgotten, {} as { rows: string });
    }),
  ]);
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
  expect(await t.count()).toBe(1);
});

test("rows are there for what the same write waits for later", async () => {
  await using t = await openThings();
  const seen = await t.db.write(W1, async (tx) => {
    insertThings(tx, {}, [{ name: "first" }, { name: "second" }]);
    return (await tx.get(countThings, {}))?.count;
  });
  expect([seen, await t.count()]).toEqual([2, 2]);
});

test("rows that were told of are gone with a write that fails", async () => {
  await using t = await openThings();
  const failing = t.db.write(W1, async (tx) => {
    insertThings(tx, {}, [{ name: "lost" }]);
    throw new Error("no");
  });
  await expect(failing).rejects.toThrow("no");
  expect(await t.count()).toBe(0);
});

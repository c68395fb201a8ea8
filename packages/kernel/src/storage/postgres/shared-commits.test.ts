import pg from "pg";
import { expect, test } from "vitest";
import { createLogger } from "../../log/logger.ts";
import { createTestPostgres } from "../../testing/postgres-databases.ts";
import {
  aThing,
  countThings,
  insertPart,
  insertThing,
  statement,
  type Thing,
  thingMigrations,
  W1,
  W2,
} from "../../testing/things.ts";
import { until } from "../../testing/until.ts";
import type { Asked, Transaction } from "../database.ts";
import { migrate } from "../migrate.ts";
import { openPostgres } from "./open-postgres.ts";

const log = createLogger({ level: "silent", format: "json" });
const NAMES = Array.from({ length: 50 }, (_, n) => `thing ${n}`);

const insertAndTell = statement<Thing>()((db, p) =>
  db
    .insertInto("things")
    .values({
      workspace_id: p.workspace_id,
      name: p.name,
      data: p.data,
      is_on: p.is_on,
      size: p.size,
    })
    .returning("name"),
);
const sleepLong = statement()((db, p) =>
  db.selectNoFrom((e) => [
    e.fn<string>("pg_sleep", [e.lit(30)]).as("slept"),
    e.val(p.workspace_id).as("w"),
  ]),
);

async function openThings() {
  const { url, drop } = await createTestPostgres();
  const commits: number[] = [];
  const stats = { onCommit: (writes: number) => commits.push(writes) };
  const db = openPostgres({ url, maxConnections: 5, stats, log });
  await migrate(db, [thingMigrations]);
  commits.length = 0;
  return {
    db,
    url,
    commits,
    tell: (name: string, workspace = W1) =>
      db.write(workspace, async (tx) => tx.tell(insertThing, aThing({ name }))),
    count: async (workspace = W1) => (await db.in(workspace).get(countThings, {}))?.count,
    async [Symbol.asyncDispose]() {
      await db.close();
      await drop();
    },
  };
}

test("writes that wait for nothing share commits, whatever workspace they belong to", async () => {
  await using t = await openThings();
  await Promise.all(NAMES.flatMap((name) => [t.tell(name), t.tell(name, W2)]));
  expect([await t.count(), await t.count(W2)]).toEqual([50, 50]);
  expect(t.commits.reduce((sum, writes) => sum + writes, 0)).toBe(100);
  expect(t.commits.length).toBeLessThan(20);
});

test("one that fails fails alone, with its own error, and leaves nothing", async () => {
  await using t = await openThings();
  await t.tell("thing 7");
  const orphan = t.db.write(W1, async (tx) => {
    tx.tell(insertThing, aThing({ name: "half" }));
    tx.tell(insertPart, { name: "bulb", thing: "nothing" });
  });
  const results = await Promise.allSettled([...NAMES.map((name) => t.tell(name)), orphan]);
  const failed = results.flatMap((result, n) => (result.status === "rejected" ? [n] : []));
  expect(failed).toEqual([7, 50]);
  expect(results[7]).toMatchObject({ reason: { code: "conflict" } });
  expect(await t.count()).toBe(50);
});

test("what was asked for is known when the write is done, and not before", async () => {
  await using t = await openThings();
  const ask = async (name: string): Promise<string | undefined> => {
    const work = async (tx: Transaction): Promise<Asked<{ name: string }>> => {
      const asked = tx.ask(insertAndTell, aThing({ name }));
      expect(() => asked.answer()).toThrow("not done yet");
      return asked;
    };
    return (await t.db.write(W1, work)).answer()?.name;
  };
  expect(await Promise.all(NAMES.map(ask))).toEqual(NAMES);
});

test("who waits for something after all has a transaction of its own, with what was told and asked before", async () => {
  await using t = await openThings();
  const asked = await t.db.write(W1, async (tx) => {
    tx.tell(insertThing, aThing({ name: "told" }));
    const name = tx.ask(insertAndTell, aThing({ name: "asked" }));
    expect((await tx.get(countThings, {}))?.count).toBe(2);
    return name;
  });
  expect(asked.answer()).toEqual({ name: "asked" });
});

test("a write that does nothing commits nothing, and nudges", async () => {
  await using t = await openThings();
  let nudged = 0;
  t.db.nudges.on("things", () => {
    nudged += 1;
  });
  await t.db.write(W1, async (tx) => tx.nudge("things"));
  expect([nudged, t.commits]).toEqual([1, []]);
});

test("says unavailable to all whose connection is lost before the commit, and keeps nothing of them", async () => {
  await using t = await openThings();
  const stuck = t.db.write(W1, async (tx) => tx.tell(sleepLong, {}));
  const lost = Promise.allSettled([stuck, t.tell("with it")]);
  const admin = new pg.Client({ connectionString: t.url });
  await admin.connect();
  await until(async () => {
    const { rowCount } = await admin.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where query like '%pg_sleep(30)%' and pid <> pg_backend_pid()",
    );
    expect(rowCount).toBe(1);
  });
  await admin.end();
  const reason = { code: "unavailable" };
  expect((await lost)[0]).toMatchObject({ status: "rejected", reason });
  await t.tell("after it");
});

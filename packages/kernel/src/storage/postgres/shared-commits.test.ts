import { expect, test } from "vitest";
import { openPostgresThings } from "../../testing/postgres-things.ts";
import {
  aThing,
  countThings,
  insertPart,
  insertThing,
  statement,
  type Thing,
  W1,
  W2,
} from "../../testing/things.ts";
import { until } from "../../testing/until.ts";
import type { ReturnedRow, Transaction } from "../database.ts";

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
  const things = await openPostgresThings();
  const { db, admin } = things;
  /** Done when that sleep is over, so that whoever is woken next is another. */
  const wake = async (by: "pg_terminate_backend" | "pg_cancel_backend") => {
    let woken: readonly unknown[] = [];
    await until(async () => {
      const { rows } = await admin.query<{ pid: number; begun: string }>(
        `select pid, xact_start::text as begun, ${by}(pid) from pg_stat_activity
         where query like '%pg_sleep(30)%' and state = 'active' and pid <> pg_backend_pid()`,
      );
      expect(rows).toHaveLength(1);
      woken = rows.flatMap(({ pid, begun }) => [pid, begun]);
    });
    await until(async () => {
      const still = "select 1 from pg_stat_activity where pid = $1 and xact_start::text = $2";
      expect((await admin.query(still, [...woken])).rowCount).toBe(0);
    });
  };
  return {
    ...things,
    tell: (name: string, workspace = W1) =>
      db.write(workspace, async (tx) => tx.enqueue(insertThing, aThing({ name }))),
    /** Ends the connection on which somebody sleeps. */
    cutOff: () => wake("pg_terminate_backend"),
    /** Ends nothing but the sleep. */
    cancel: () => wake("pg_cancel_backend"),
    count: async (workspace = W1) => (await db.in(workspace).get(countThings, {}))?.count,
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
    tx.enqueue(insertThing, aThing({ name: "half" }));
    tx.enqueue(insertPart, { name: "bulb", thing: "nothing" });
  });
  const results = await Promise.allSettled([...NAMES.map((name) => t.tell(name)), orphan]);
  const failed = results.flatMap((result, n) => (result.status === "rejected" ? [n] : []));
  expect(failed).toEqual([7, 50]);
  expect(results[7]).toMatchObject({ reason: { code: "conflict" } });
  expect(await t.count()).toBe(50);
  // The others share once more.
  expect(t.commits.length).toBeLessThan(20);
});

test("what was asked for is known when the write is done, and not before", async () => {
  await using t = await openThings();
  const ask = async (name: string): Promise<string | undefined> => {
    const work = async (tx: Transaction): Promise<ReturnedRow<{ name: string }>> => {
      const asked = tx.enqueueReturning(insertAndTell, aThing({ name }));
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
    tx.enqueue(insertThing, aThing({ name: "told" }));
    const name = tx.enqueueReturning(insertAndTell, aThing({ name: "asked" }));
    expect((await tx.get(countThings, {}))?.count).toBe(2);
    return name;
  });
  expect(asked.answer()).toEqual({ name: "asked" });
});

test("what could not be sent is refused before anything is", async () => {
  await using t = await openThings();
  const circle: Record<string, unknown> = {};
  circle["self"] = circle;
  const bad = t.db.write(W1, async (tx) =>
    tx.enqueue(insertThing, aThing({ name: "bad", data: circle as unknown as string })),
  );
  const results = await Promise.allSettled([...NAMES.map((name) => t.tell(name)), bad]);
  expect(results.filter(({ status }) => status === "rejected")).toHaveLength(1);
  expect(await t.count()).toBe(50);
});

test("a write that does nothing commits nothing, and nudges", async () => {
  await using t = await openThings();
  let nudged = 0;
  t.db.wakeUps.on("things", () => {
    nudged += 1;
  });
  await t.db.write(W1, async (tx) => tx.notify("things"));
  expect([nudged, t.commits]).toEqual([1, []]);
});

test("says unavailable to all whose connection is lost before the commit, and keeps nothing of them", async () => {
  await using t = await openThings();
  const release = await t.holdAll();
  const stuck = t.db.write(W1, async (tx) => tx.enqueue(sleepLong, {}));
  // No more than two go at once: what waits now shares the transaction of the one that is stuck, or
  // the next.
  const lost = Promise.allSettled([stuck, ...NAMES.map((name) => t.tell(name))]);
  await release();
  await t.cutOff();
  const results = await lost;
  const failed = results.filter(({ status }) => status === "rejected");
  expect(failed.length).toBeGreaterThan(1);
  expect(failed).toMatchObject(failed.map(() => ({ reason: { code: "unavailable" } })));
  expect(await t.count()).toBe(results.length - failed.length);
});

test("a statement that somebody cancels fails its own write and no other", async () => {
  await using t = await openThings();
  const release = await t.holdAll();
  const stuck = t.db.write(W1, async (tx) => tx.enqueue(sleepLong, {}));
  const settled = Promise.allSettled([stuck, ...NAMES.map((name) => t.tell(name))]);
  await release();
  // Once among the others, and once by itself.
  for (let times = 0; times < 2; times += 1) await t.cancel();
  const failed = (await settled).filter(({ status }) => status === "rejected");
  expect([failed.length, await t.count()]).toEqual([1, 50]);
});

test("one alone that has to wait for a lock waits, and is done", async () => {
  await using t = await openThings();
  await t.admin.query(`begin; insert into things (workspace_id, name) values ('${W1}', 'taken')`);
  const waits = t.tell("taken");
  await t.untilSomebodyWaits();
  await new Promise((resolve) => setTimeout(resolve, 200));
  await t.admin.query("rollback");
  await waits;
  expect(await t.count()).toBe(1);
});

test("a write that has to wait for a lock holds up no other", async () => {
  await using t = await openThings();
  await t.admin.query(`begin; insert into things (workspace_id, name) values ('${W1}', 'taken')`);
  const waits = [0, 1, 2].map((n) =>
    t.db.write(W1, async (tx) => {
      tx.enqueue(insertThing, aThing({ name: `before ${n}` }));
      tx.enqueue(insertThing, aThing({ name: "taken" }));
    }),
  );
  const settled = Promise.allSettled(waits);
  await Promise.all(NAMES.map((name) => t.tell(name)));
  expect(await t.count()).toBe(50);
  await t.admin.query("rollback");
  expect((await settled).map(({ status }) => status).toSorted()).toEqual([
    "fulfilled",
    "rejected",
    "rejected",
  ]);
  expect(await t.count()).toBe(52);
});

test("what the commit itself refuses is refused to its author alone", async () => {
  await using t = await openThings();
  await t.admin.query(`create function refuse() returns trigger language plpgsql as $$
    begin if new.name = 'bad' then raise unique_violation; end if; return null; end $$`);
  await t.admin.query(
    "create constraint trigger late after insert on things deferrable initially deferred for each row execute function refuse()",
  );
  await expect(t.tell("bad")).rejects.toMatchObject({ code: "conflict" });
  const results = await Promise.allSettled(["bad", ...NAMES].map((name) => t.tell(name)));
  expect(results[0]).toMatchObject({ status: "rejected", reason: { code: "conflict" } });
  expect(results.filter(({ status }) => status === "rejected")).toHaveLength(1);
  expect(await t.count()).toBe(50);
});

test("refuses at once who comes when too many wait already", async () => {
  await using t = await openThings();
  const release = await t.holdAll();
  const waiting = Promise.allSettled(Array.from({ length: 1000 }, (_, n) => t.tell(`${n}`)));
  await new Promise((resolve) => setImmediate(resolve));
  await expect(t.tell("one too many")).rejects.toThrow("Too many requests are waiting");
  await release();
  await waiting;
});

test("commits nothing where nobody is left to commit for", async () => {
  await using t = await openThings();
  for (const name of NAMES) await Promise.all([t.tell(`${name} a`), t.tell(`${name} b`)]);
  expect(t.commits).not.toContain(0);
});

test("nudges also where nobody knows whether it was committed", async () => {
  await using t = await openThings();
  let nudged = 0;
  t.db.wakeUps.on("things", () => {
    nudged += 1;
  });
  const stuck = t.db.write(W1, async (tx) => {
    tx.notify("things");
    tx.enqueue(sleepLong, {});
  });
  const lost = expect(stuck).rejects.toMatchObject({ code: "unavailable" });
  await t.cutOff();
  await lost;
  expect(nudged).toBe(1);
});

test("what was told after something was asked for comes after it", async () => {
  await using t = await openThings();
  const count = await t.db.write(W1, async (tx) => {
    const counted = tx.get(countThings, {});
    tx.enqueue(insertThing, aThing());
    return (await counted)?.count;
  });
  expect([count, await t.count()]).toEqual([0, 1]);
});

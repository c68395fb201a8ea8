import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createLogger } from "../../log/logger.ts";
import { aThing, insertThing, thingMigrations, W1 } from "../../testing/things.ts";
import type { Database } from "../database.ts";
import { migrate } from "../migrate.ts";
import { openSqlite } from "./open-sqlite.ts";
import { ReaderThreads } from "./reader-threads.ts";

const log = createLogger({ level: "silent", format: "json" });
const stats = { onCommit: () => {} };
const MANY_ROWS = 3;
let folder: string;
let file: string;
let db: Database;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "orchestrator-test-"));
  file = join(folder, "test.db");
  db = openSqlite({ file, stats, log, durable: false, manyRows: MANY_ROWS });
  await migrate(db, [thingMigrations]);
});
afterEach(async () => {
  await db.close();
  rmSync(folder, { recursive: true, force: true });
});

const add = (name: string) => db.write(W1, (tx) => tx.run(insertThing, aThing({ name })));
const addMany = () => Promise.all(Array.from({ length: MANY_ROWS }, (_, n) => add(`thing ${n}`)));

const COUNT = { sql: "select count(*) as count from things", values: [], sweeps: ["things"] };
const count = () => db.in(W1).select<{ count: number }>(COUNT);

/**
 * Whether the event loop turned before the answer came: other requests would have been answered
 * meanwhile.
 */
async function turnedDuring(read: () => Promise<unknown>): Promise<boolean> {
  let hasTurned = false;
  setImmediate(() => {
    hasTurned = true;
  });
  await read();
  return hasTurned;
}

describe("a query that may go through a whole table", () => {
  test("lets the event loop turn once the table has many rows, and not before", async () => {
    expect(await turnedDuring(count)).toBe(false);
    await db.close();
    db = openSqlite({ file, stats, log, durable: false, manyRows: MANY_ROWS });
    await addMany();
    expect(await turnedDuring(count)).toBe(true);
  });

  test("is asked in place, however many rows there are, when an index answers it", async () => {
    await addMany();
    const { sweeps: _, ...found } = COUNT;
    expect(await turnedDuring(() => db.in(W1).select(found))).toBe(false);
  });

  test("sees all that was acknowledged before", async () => {
    await addMany();
    for (let n = 1; n <= 20; n += 1) {
      await add(`later ${n}`);
      expect(await count()).toEqual({ count: MANY_ROWS + n });
    }
  });

  test("reads flags, limits and values as in place", async () => {
    await addMany();
    const query = {
      sql: "select name, is_on from things where name > ?1 and is_on = ?2 order by name limit ?3",
      values: ["thing 0", aThing().is_on, 1],
    };
    const row = await db.in(W1).select(query);
    expect(row).toEqual({ name: "thing 1", is_on: aThing().is_on });
    expect(await db.in(W1).select({ ...query, sweeps: ["things"] })).toEqual(row);
  });

  test("answers undefined when there is no row", async () => {
    await addMany();
    const query = { sql: "select name from things where name = ?1", values: ["no such"] };
    expect(await db.in(W1).select({ ...query, sweeps: ["things"] })).toBeUndefined();
  });

  test("cannot change anything", async () => {
    await addMany();
    const query = { sql: "delete from things returning name", values: [], sweeps: ["things"] };
    await expect(db.in(W1).select(query)).rejects.toMatchObject({ code: "unavailable" });
    expect(await count()).toEqual({ count: MANY_ROWS });
  });

  test("tells what the database says of it, and the next is answered", async () => {
    await addMany();
    const query = { sql: "selekt", values: [], sweeps: ["things"] };
    await expect(db.in(W1).select(query)).rejects.toThrow("syntax error");
    expect(await count()).toEqual({ count: MANY_ROWS });
  });

  test("in a transaction sees what that has written", async () => {
    await addMany();
    const seen = await db.write(W1, async (tx) => {
      await tx.run(insertThing, aThing({ name: "own" }));
      return tx.select(COUNT);
    });
    expect(seen).toEqual({ count: MANY_ROWS + 1 });
  });
});

describe("threads for reading", () => {
  const ONE = { sql: "select 1 as one", values: [] };
  let threads: ReaderThreads;

  beforeEach(() => {
    threads = new ReaderThreads(file);
  });
  afterEach(() => threads.close());

  test("answer many who ask at once, each its own", async () => {
    const asked = Array.from({ length: 100 }, (_, n) => n);
    const answers = asked.map((n) => threads.get({ sql: "select ?1 as n", values: [n] }));
    expect(await Promise.all(answers)).toEqual(asked.map((n) => ({ n })));
  });

  test("answer the others while one is busy for long", async () => {
    await Promise.all([threads.get(ONE), threads.get(ONE)]);
    const long = threads.get({ sql: LONG, values: [] });
    let isDone = false;
    void long.then(() => {
      isDone = true;
    });
    expect(await threads.get(ONE)).toEqual({ one: 1 });
    expect(isDone).toBe(false);
    await long;
  });

  test("let others pass while what is known to take long waits for its like", async () => {
    const long = () => threads.get({ sql: LONG, values: [] });
    await Promise.all([long(), threads.get(ONE)]);
    const order: string[] = [];
    const note = (name: string, answer: Promise<unknown>) => answer.then(() => order.push(name));
    await Promise.all([
      note("long", long()),
      note("long", long()),
      note("short", threads.get(ONE)),
    ]);
    expect(order).toEqual(["short", "long", "long"]);
  });

  test("turn away who comes when very many wait", async () => {
    const answers = Array.from({ length: 1100 }, () => threads.get(ONE));
    const outcomes = await Promise.allSettled(answers);
    const refused = outcomes.filter(({ status }) => status === "rejected");
    expect(refused.length).toBeGreaterThan(0);
    expect(refused[0]).toMatchObject({ reason: { code: "unavailable", retryAfterSeconds: 1 } });
    expect(await threads.get(ONE)).toEqual({ one: 1 });
  });

  test("begin nothing while they pause", async () => {
    const pausing = new ReaderThreads(file, { pauseMs: 3_600_000 });
    await pausing.get(ONE);
    pausing.pause();
    const outcome = Promise.allSettled([pausing.get(ONE)]);
    // Whatever was begun there would be answered by now.
    for (let n = 0; n < 20; n += 1) await threads.get(ONE);
    await pausing.close();
    expect(await outcome).toMatchObject([{ status: "rejected", reason: { code: "unavailable" } }]);
  });

  test("go on by themselves after a pause, also one that began while they were busy", async () => {
    const pausing = new ReaderThreads(file, { pauseMs: 1 });
    const first = pausing.get(ONE);
    pausing.pause();
    expect(await Promise.all([first, pausing.get(ONE)])).toEqual([{ one: 1 }, { one: 1 }]);
    pausing.pause();
    expect(await pausing.get(ONE)).toEqual({ one: 1 });
    await pausing.close();
  });

  test("tell who waits that they were closed", async () => {
    const waiting = Array.from({ length: 5 }, () => threads.get(ONE));
    const outcomes = Promise.allSettled(waiting);
    await threads.close();
    const reasons = (await outcomes).flatMap((o) => (o.status === "rejected" ? [o.reason] : []));
    expect(reasons.length).toBeGreaterThan(0);
    for (const reason of reasons) expect(reason).toMatchObject({ code: "unavailable" });
    await expect(threads.get(ONE)).rejects.toMatchObject({ code: "unavailable" });
  });

  test("end what they are busy with when they are closed, and nobody waits for it", async () => {
    await Promise.all([threads.get(ONE), threads.get(ONE)]);
    const long = Promise.allSettled([threads.get({ sql: LONG, values: [] })]);
    await threads.get(ONE);
    await threads.close();
    expect(await long).toMatchObject([{ status: "rejected", reason: { code: "unavailable" } }]);
  });

  test("go on when they are told to, before a pause is over, and say when nothing is read any more", async () => {
    let drained = 0;
    const pausing = new ReaderThreads(file, {
      pauseMs: 3_600_000,
      onDrained: () => {
        drained += 1;
        pausing.resume();
      },
    });
    const first = pausing.get(ONE);
    pausing.pause();
    expect(await Promise.all([first, pausing.get(ONE)])).toEqual([{ one: 1 }, { one: 1 }]);
    expect(drained).toBe(1);
    await pausing.close();
  });

  test("do not read for who has gone before it was their turn", async () => {
    const pausing = new ReaderThreads(file, { pauseMs: 3_600_000 });
    const gone = new AbortController();
    pausing.pause();
    const left = pausing.get({ ...ONE, gone: () => gone.signal });
    const stayed = pausing.get({ ...ONE, gone: () => new AbortController().signal });
    const outcome = Promise.allSettled([left]);
    gone.abort();
    expect(await outcome).toMatchObject([{ status: "rejected", reason: { code: "unavailable" } }]);
    const late = pausing.get({ ...ONE, gone: () => gone.signal });
    await expect(late).rejects.toMatchObject({ code: "unavailable" });
    pausing.resume();
    expect(await stayed).toEqual({ one: 1 });
    await pausing.close();
  });

  test("ask nobody whether they have gone who need not wait", async () => {
    const gone = (): AbortSignal => {
      throw new Error("nobody waits");
    };
    expect(await threads.get({ ...ONE, gone })).toEqual({ one: 1 });
  });

  test("say unavailable when the file cannot be opened", async () => {
    const lost = join(folder, "missing", "test.db");
    const astray = new ReaderThreads(lost);
    await expect(astray.get(ONE)).rejects.toMatchObject({ code: "unavailable" });
    await astray.close();
  });
});

/** Takes a good part of a second on any machine. */
const LONG =
  "with recursive n(i) as (select 1 union all select i + 1 from n where i < 2000000) select count(*) as count from n";

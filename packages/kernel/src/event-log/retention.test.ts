import { expect, test } from "vitest";
import { kernelMigrations } from "../migrations/index.ts";
import type { Database } from "../storage/database.ts";
import { anEvent } from "../testing/events.ts";
import { manualClock } from "../testing/manual-clock.ts";
import { describeEachDatabase } from "../testing/test-database.ts";
import { W1 } from "../testing/things.ts";
import { until } from "../testing/until.ts";
import { appendEvent } from "./append.ts";
import { createLogReader } from "./cursor.ts";
import { followLog } from "./read.ts";
import { deleteExpiredEvents } from "./retention.ts";

const HOUR_MS = 3_600_000;
const unhurried = new AbortController().signal;

const append = (db: Database, received: string, event = received) =>
  db.write(W1, (tx) => appendEvent(tx, anEvent({ event, received })));

const remaining = (db: Database): Promise<string[]> =>
  db.exclusively(async (session) => {
    const rows = await session.rows<{ event: string }>(
      "select event from events order by position",
    );
    return rows.map(({ event }) => event);
  });

function setUp() {
  const clock = manualClock("2026-01-01T12:00:00Z");
  const expire = (db: Database, signal = unhurried) =>
    deleteExpiredEvents(db, clock, { keepMs: 2 * HOUR_MS, signal });
  const reader = (db: Database, name: string) =>
    createLogReader(db, clock, { name, batchSize: 1, handle: async () => {} });
  return { clock, expire, reader };
}

const at = (time: string): string => `2026-01-01T${time}Z`;

describeEachDatabase("retention of events", (open) => {
  test("deletes what is older than the retention and keeps the rest", async () => {
    await using t = await open([kernelMigrations]);
    const { expire, clock } = setUp();
    const times = ["08:00:00.000000", "09:59:59.999999", "10:00:00.000000", "11:00:00.000000"].map(
      at,
    );
    for (const time of times) await append(t.db, time);
    expect(await expire(t.db)).toBe(2);
    expect(await remaining(t.db)).toEqual(times.slice(2));
    expect(await expire(t.db)).toBe(0);
    clock.advanceMs(24 * HOUR_MS);
    expect(await expire(t.db)).toBe(2);
  });

  test("keeps what the slowest reader has still to see, however old", async () => {
    await using t = await open([kernelMigrations]);
    const { expire, reader } = setUp();
    for (const name of ["a", "b", "c"]) await append(t.db, at("01:00:00.000000"), name);
    await reader(t.db, "quick").drain(unhurried);
    const stop = new AbortController();
    const slow = createLogReader(t.db, manualClock(), {
      name: "slow",
      batchSize: 1,
      handle: async () => stop.abort(),
    });
    await slow.drain(stop.signal);
    expect(await expire(t.db)).toBe(1);
    expect(await remaining(t.db)).toEqual(["b", "c"]);
    await reader(t.db, "slow").drain(unhurried);
    expect(await expire(t.db)).toBe(2);
  });

  test("deletes in batches, each in a small write of its own, until all is gone", async () => {
    const commits: number[] = [];
    await using t = await open([kernelMigrations], {
      stats: { onCommit: (writes) => commits.push(writes) },
    });
    const { expire } = setUp();
    await addMany(t.db, 2500);
    commits.length = 0;
    expect(await expire(t.db)).toBe(2500);
    expect(commits).toEqual([1, 1, 1]);
    expect(await remaining(t.db)).toEqual([]);
  });

  test("stops after the batch under way when it is told to", async () => {
    let stop = new AbortController();
    await using t = await open([kernelMigrations], { stats: { onCommit: () => stop.abort() } });
    const { expire } = setUp();
    await addMany(t.db, 1500);
    stop = new AbortController();
    expect(await expire(t.db, stop.signal)).toBe(1000);
    expect(await remaining(t.db)).toHaveLength(500);
  });

  test("never leads to a position being handed out again", async () => {
    await using t = await open([kernelMigrations]);
    const { expire } = setUp();
    await append(t.db, at("01:00:00.000000"));
    expect(await expire(t.db)).toBe(1);
    await append(t.db, at("11:00:00.000000"), "new");
    await until(async () =>
      expect(await followLog(t.db).next(1, 10)).toMatchObject([{ event: "new", position: 2 }]),
    );
  });
});

/** Old events, made by the database itself because so many would take long one by one. */
async function addMany(db: Database, count: number): Promise<void> {
  const id = db.dialect.name === "sqlite" ? "'event ' || n" : "gen_random_uuid()";
  await db.exclusively((session) =>
    session.execute(`
      with recursive counted(n) as (select 1 union all select n + 1 from counted where n < ${count})
      insert into events (workspace_id, id, occurred, received, event, resource_id, body)
      select '${W1}', ${id}, '${at("00:00:00.000000")}', '${at("00:00:00.000000")}', 'old', 'thing.1', '{}' from counted`),
  );
}

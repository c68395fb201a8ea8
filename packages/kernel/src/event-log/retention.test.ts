import { expect, test } from "vitest";
import { formatMicros } from "../clock/timestamp.ts";
import { createLogger } from "../log/logger.ts";
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
import { createEventRetention } from "./retention.ts";

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
  const warnings: string[] = [];
  const destination = { write: (line: string) => warnings.push(line) };
  const log = createLogger({ level: "warn", format: "json", destination });
  const retention = (db: Database, byName: readonly string[] = []) =>
    createEventRetention(
      db,
      { clock, log },
      { keepMs: 2 * HOUR_MS, byName, unreadMs: 48 * HOUR_MS },
    );
  const expire = (db: Database, signal = unhurried) => retention(db)(signal);
  const reader = (db: Database, name: string) =>
    createLogReader(db, clock, { name, batchSize: 1, handle: async () => {} });
  return { clock, expire, retention, reader, warnings };
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
    const count = 2 * pieceOf(t.db) + 100;
    await addMany(t.db, count);
    commits.length = 0;
    expect(await expire(t.db)).toBe(count);
    expect(commits).toEqual([1, 1, 1]);
    expect(await remaining(t.db)).toEqual([]);
  });

  test("stops after the batch under way when it is told to", async () => {
    let stop = new AbortController();
    await using t = await open([kernelMigrations], { stats: { onCommit: () => stop.abort() } });
    const { expire } = setUp();
    await addMany(t.db, pieceOf(t.db) + 150);
    stop = new AbortController();
    expect(await expire(t.db, stop.signal)).toBe(pieceOf(t.db));
    expect(await remaining(t.db)).toHaveLength(150);
  });

  test("keeps chosen names longer or shorter than the others, however they are mixed", async () => {
    await using t = await open([kernelMigrations]);
    const { retention, clock } = setUp();
    const pass = retention(t.db, ["order.*=30h", "order.seen=1h", "prefect.beat=1h"]);
    const names = ["order.paid", "order.seen", "other", "orchestrator.beat"];
    for (const hour of ["09", "10", "11"])
      for (const name of names) await append(t.db, at(`${hour}:30:00.000000`), name);
    expect(await pass(unhurried)).toBe(5);
    const [paid, seen, other, beat] = names;
    expect(await remaining(t.db)).toEqual([paid, paid, other, paid, seen, other, beat]);
    clock.advanceMs(HOUR_MS);
    expect(await pass(unhurried)).toBe(3);
    expect(await remaining(t.db)).toEqual([paid, paid, paid, other]);
    await append(t.db, at("12:30:00.000000"), beat);
    clock.advanceMs(26 * HOUR_MS + HOUR_MS / 2);
    expect(await pass(unhurried)).toBe(2);
    expect(await remaining(t.db)).toEqual([paid, paid, paid]);
    clock.advanceMs(2 * HOUR_MS);
    expect(await pass(unhurried)).toBe(2);
    expect(await remaining(t.db)).toEqual([paid]);
  });

  test("finds what has expired in a log of many batches, most of which is kept", async () => {
    await using t = await open([kernelMigrations]);
    const { retention } = setUp();
    const count = 2 * pieceOf(t.db) + 100;
    await addMany(t.db, count);
    await append(t.db, at("01:00:00.000000"), "other");
    const pass = retention(t.db, ["old=5d"]);
    expect(await pass(unhurried)).toBe(1);
    expect(await remaining(t.db)).toHaveLength(count);
    expect(await pass(unhurried)).toBe(0);
  });

  test("waits for a reader that does not move, says so, and in the end no longer waits", async () => {
    await using t = await open([kernelMigrations]);
    const { clock, reader, retention, warnings } = setUp();
    const pass = retention(t.db);
    const gone = reader(t.db, "gone");
    await gone.drain(unhurried);
    await append(t.db, at("12:00:00.000000"));
    expect([await pass(unhurried), warnings]).toEqual([0, []]);
    clock.advanceMs(3 * HOUR_MS);
    expect(await pass(unhurried)).toBe(0);
    expect(await pass(unhurried)).toBe(0);
    expect(warnings).toEqual([expect.stringMatching(/"name":"gone".*kept for a reader/)]);
    clock.advanceMs(46 * HOUR_MS);
    expect(await pass(unhurried)).toBe(1);
    expect(warnings.slice(1)).toEqual([expect.stringMatching(/"name":"gone".*has not seen/)]);
    await append(t.db, formatMicros(clock.nowMicros()), "new");
    expect(await until(async () => (await gone.drain(unhurried)) || Promise.reject())).toBe(1);
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

/** Where nobody waits for it, more of the log goes at once. */
const pieceOf = ({ dialect }: Database): number => (dialect.isRemote ? 1000 : 250);

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

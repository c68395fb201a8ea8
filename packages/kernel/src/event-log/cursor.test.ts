import { expect, test } from "vitest";
import { kernelMigrations } from "../migrations/index.ts";
import type { Database } from "../storage/database.ts";
import type { MigrationList } from "../storage/migrate.ts";
import { statementsFor } from "../storage/statement.ts";
import { appendNamed } from "../testing/events.ts";
import { manualClock } from "../testing/manual-clock.ts";
import { describeEachDatabase } from "../testing/test-database.ts";
import {
  createLogReader,
  type LogConsumer,
  readCursors,
  readLags,
  readUnreadSince,
} from "./cursor.ts";

/** No key on purpose: an event that is handled twice stands there twice. */
const handled: MigrationList = {
  component: "handled",
  migrations: [
    {
      name: "handled",
      up: (t) => `create table handled (reader ${t.text} not null, event ${t.text} not null)`,
    },
  ],
};
const { systemStatement } = statementsFor<{ handled: { reader: string; event: string } }>();
const insertHandled = systemStatement<{ reader: string; event: string }>()((db, p) =>
  db.insertInto("handled").values({ reader: p.reader, event: p.event }),
);
const selectHandled = systemStatement()((db) =>
  db.selectFrom("handled").select(["reader", "event"]),
);

const clock = manualClock();
const unhurried = new AbortController().signal;
const MIGRATIONS = [kernelMigrations, handled];

function recorder(values: Partial<LogConsumer> & { reader?: string } = {}): LogConsumer {
  return {
    name: "recorder",
    batchSize: 2,
    async handle(tx, events) {
      for (const { event } of events)
        await tx.run(insertHandled, { reader: values.reader ?? "one", event });
    },
    ...values,
  };
}

const handledEvents = async (db: Database) =>
  (await db.system.all(selectHandled, {})).map(({ event }) => event);

describeEachDatabase("a reader of the log", (open) => {
  test("handles no more of a batch at once than it takes, and the rest after that", async () => {
    await using t = await open(MIGRATIONS);
    const batches: string[][] = [];
    const consumer = recorder({ batchSize: 4 });
    const reader = createLogReader(t.db, clock, {
      ...consumer,
      takes: (events) => (events.length === 4 ? 3 : 0),
      async handle(tx, events) {
        batches.push(events.map(({ event }) => event));
        await consumer.handle(tx, events);
      },
    });
    await appendNamed(t.db, ["a", "b", "c", "d", "e"]);
    expect(await reader.drain(unhurried)).toBe(5);
    expect(batches).toEqual([["a", "b", "c"], ["d"], ["e"]]);
    expect(await handledEvents(t.db)).toEqual(["a", "b", "c", "d", "e"]);
  });

  test("handles every event once, batch after batch, and tells how many", async () => {
    await using t = await open(MIGRATIONS);
    const batches: number[] = [];
    const consumer = recorder();
    const reader = createLogReader(t.db, clock, {
      ...consumer,
      handle: async (tx, events) => {
        batches.push(events.length);
        await consumer.handle(tx, events);
      },
    });
    await appendNamed(t.db, ["a", "b", "c", "d", "e"]);
    expect(await reader.drain(unhurried)).toBe(5);
    expect(await reader.drain(unhurried)).toBe(0);
    expect(await handledEvents(t.db)).toEqual(["a", "b", "c", "d", "e"]);
    expect(batches).toEqual([2, 2, 1]);
  });

  test("begins with the first event there is, and goes on where an earlier one of its name stopped", async () => {
    await using t = await open(MIGRATIONS);
    await appendNamed(t.db, ["a", "b"]);
    await createLogReader(t.db, clock, recorder()).drain(unhurried);
    await appendNamed(t.db, ["c"]);
    expect(await createLogReader(t.db, clock, recorder()).drain(unhurried)).toBe(1);
    expect(await handledEvents(t.db)).toEqual(["a", "b", "c"]);
    expect(await createLogReader(t.db, clock, recorder({ name: "another" })).drain(unhurried)).toBe(
      3,
    );
  });

  test("repeats a batch that failed, whole, and leaves nothing of the failed attempt", async () => {
    await using t = await open(MIGRATIONS);
    await appendNamed(t.db, ["a", "b", "c", "d"]);
    const consumer = recorder();
    const failing = createLogReader(t.db, clock, {
      ...consumer,
      handle: async (tx, events) => {
        await consumer.handle(tx, events);
        if (events.some(({ event }) => event === "c")) throw new Error("crashed");
      },
    });
    await expect(failing.drain(unhurried)).rejects.toThrow("crashed");
    expect(await handledEvents(t.db)).toEqual(["a", "b"]);
    expect(await createLogReader(t.db, clock, recorder()).drain(unhurried)).toBe(2);
    expect(await handledEvents(t.db)).toEqual(["a", "b", "c", "d"]);
  });

  test("shares the work with others of its name, and no event is handled by two", async () => {
    await using t = await open(MIGRATIONS);
    const other = t.openReplica === null ? t.db : await t.openReplica();
    const names = Array.from({ length: 60 }, (_, n) => String(n).padStart(2, "0"));
    const readers = [
      createLogReader(t.db, clock, recorder({ reader: "one" })),
      createLogReader(other, clock, recorder({ reader: "two" })),
      createLogReader(other, clock, recorder({ reader: "three" })),
    ];
    const appending = appendNamed(t.db, names);
    let total = 0;
    const drainAll = async () => {
      const counts = await Promise.all(readers.map((reader) => reader.drain(unhurried)));
      for (const count of counts) total += count;
    };
    await drainAll();
    await appending;
    await drainAll();
    expect((await handledEvents(t.db)).toSorted()).toEqual(names);
    expect(total).toBe(names.length);
  });

  test("goes on where another of its name has come to, not where it stopped itself", async () => {
    await using t = await open(MIGRATIONS);
    const first = createLogReader(t.db, clock, recorder({ reader: "first" }));
    const second = createLogReader(t.db, clock, recorder({ reader: "second" }));
    await appendNamed(t.db, ["a"]);
    expect(await first.drain(unhurried)).toBe(1);
    await appendNamed(t.db, ["b"]);
    expect(await second.drain(unhurried)).toBe(1);
    await appendNamed(t.db, ["c"]);
    expect(await first.drain(unhurried)).toBe(1);
    expect(await t.db.system.all(selectHandled, {})).toEqual([
      { reader: "first", event: "a" },
      { reader: "second", event: "b" },
      { reader: "first", event: "c" },
    ]);
  });

  test("stops between two batches when it is told to", async () => {
    await using t = await open(MIGRATIONS);
    await appendNamed(t.db, ["a", "b", "c", "d"]);
    const stop = new AbortController();
    const consumer = recorder();
    const reader = createLogReader(t.db, clock, {
      ...consumer,
      handle: async (tx, events) => {
        await consumer.handle(tx, events);
        stop.abort();
      },
    });
    expect(await reader.drain(stop.signal)).toBe(2);
    expect(await handledEvents(t.db)).toEqual(["a", "b"]);
  });

  test("is known to be behind by the events that it has not handled", async () => {
    await using t = await open(MIGRATIONS);
    expect(await readLags(t.db)).toEqual([]);
    const reader = createLogReader(t.db, clock, recorder());
    await reader.drain(unhurried);
    expect(await readLags(t.db)).toEqual([{ name: "recorder", lag: 0 }]);
    await appendNamed(t.db, ["a", "b", "c"]);
    expect(await readLags(t.db)).toEqual([{ name: "recorder", lag: 3 }]);
    await reader.drain(unhurried);
    expect(await readLags(t.db)).toEqual([{ name: "recorder", lag: 0 }]);
  });

  test("tells since when something waits for it, and that nothing does", async () => {
    await using t = await open(MIGRATIONS);
    expect(await readUnreadSince(t.db, "recorder")).toBeNull();
    await appendNamed(t.db, ["a"]);
    expect(await readUnreadSince(t.db, "recorder")).toBe("2026-01-01T00:00:01.000000Z");
    await createLogReader(t.db, clock, recorder()).drain(unhurried);
    expect(await readUnreadSince(t.db, "recorder")).toBeNull();
  });

  test("is known by how far it has come, when it last moved and since when something waits for it", async () => {
    await using t = await open(MIGRATIONS);
    expect(await readCursors(t.db)).toEqual([]);
    const clock = manualClock();
    const slow = createLogReader(t.db, clock, recorder({ name: "slow" }));
    await slow.drain(unhurried);
    await appendNamed(t.db, ["a", "b"]);
    const [begun, moved] = [clock.now(), (clock.advanceMs(1000), clock.now())];
    await createLogReader(t.db, clock, recorder({ name: "quick" })).drain(unhurried);
    const quick = { name: "quick", position: 2, updated: moved, unread_since: null };
    const unread_since = "2026-01-01T00:00:01.000000Z";
    expect(await readCursors(t.db)).toEqual([
      quick,
      { name: "slow", position: 0, updated: begun, unread_since },
    ]);
    await slow.drain(unhurried);
    expect(await readCursors(t.db)).toEqual([quick, { ...quick, name: "slow" }]);
  });
});

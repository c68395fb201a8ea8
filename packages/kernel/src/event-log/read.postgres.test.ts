// With several writers at once positions become visible out of order, which the embedded engine
// never does.
import { sql } from "kysely";
import { expect, test } from "vitest";
import { kernelMigrations } from "../migrations/index.ts";
import type { Database } from "../storage/database.ts";
import type { MigrationList } from "../storage/migrate.ts";
import { systemStatement } from "../storage/tables.ts";
import { deferred } from "../testing/deferred.ts";
import { anEvent, appendNamed } from "../testing/events.ts";
import { openTestPostgres } from "../testing/test-database.ts";
import { W1 } from "../testing/things.ts";
import { until } from "../testing/until.ts";
import { countWaiting } from "../testing/waiting.ts";
import { appendEvent } from "./append.ts";
import { followLog, type LogFollower, readHead } from "./read.ts";

/** Begins a write, with an event or without, that stays open until the test ends it. */
async function beginWrite(db: Database, name: string | null) {
  const begun = deferred();
  const end = deferred<"commit" | "roll back">();
  const done = db.write(W1, async (tx) => {
    if (name !== null) await appendEvent(tx, anEvent({ event: name }));
    // Events are sent along with what comes next.
    await tx.select({ sql: "select 1", values: [] });
    begun.resolve();
    if ((await end.promise) === "roll back") throw new Error("second thoughts");
  });
  const settled = done.catch(() => {});
  await begun.promise;
  return {
    async end(how: "commit" | "roll back") {
      end.resolve(how);
      await settled;
    },
  };
}

const namesAfter = async (follower: LogFollower, after: number, limit = 100): Promise<string[]> =>
  (await follower.next(after, limit)).map(({ event }) => event);

test("delivers nothing beyond an open write that took an earlier position, then both in order", async () => {
  await using t = await openTestPostgres([kernelMigrations]);
  const { db } = t;
  const follower = followLog(db);
  const early = await beginWrite(db, "early");
  await appendNamed(db, ["late"]);
  expect(await readHead(db)).toBe(2);
  expect(await namesAfter(follower, 0)).toEqual([]);
  await appendNamed(db, ["later"]);
  expect(await namesAfter(follower, 0)).toEqual([]);
  await early.end("commit");
  expect(await namesAfter(follower, 0)).toEqual(["early", "late", "later"]);
});

test("delivers what lies before the open write at once", async () => {
  await using t = await openTestPostgres([kernelMigrations]);
  const { db } = t;
  const follower = followLog(db);
  await appendNamed(db, ["before"]);
  const early = await beginWrite(db, "early");
  await appendNamed(db, ["late"]);
  expect(await namesAfter(follower, 0)).toEqual(["before"]);
  expect(await namesAfter(follower, 1)).toEqual([]);
  await early.end("commit");
  expect(await namesAfter(follower, 1)).toEqual(["early", "late"]);
});

test("waits for nobody who does not write to the log, in this database or another", async () => {
  await using t = await openTestPostgres([kernelMigrations]);
  await using elsewhere = await openTestPostgres([kernelMigrations]);
  const { db } = t;
  const bystander = await beginWrite(db, null);
  const foreigner = await beginWrite(elsewhere.db, "foreign");
  const rolledBack = await beginWrite(db, "never");
  await rolledBack.end("roll back");
  await appendNamed(db, ["late"]);
  expect(await namesAfter(followLog(db), 0)).toEqual(["late"]);
  await bystander.end("commit");
  await foreigner.end("commit");
});

test("goes on when the open write is rolled back", async () => {
  await using t = await openTestPostgres([kernelMigrations]);
  const { db } = t;
  const follower = followLog(db);
  const early = await beginWrite(db, "early");
  await appendNamed(db, ["late"]);
  expect(await namesAfter(follower, 0)).toEqual([]);
  await early.end("roll back");
  await until(async () => expect(await namesAfter(follower, 0)).toEqual(["late"]));
});

test("waits for an open write on another replica, too", async () => {
  await using t = await openTestPostgres([kernelMigrations]);
  const { db, openReplica } = t;
  const other = await openReplica();
  const early = await beginWrite(other, "early");
  await appendNamed(db, ["late"]);
  const [here, there] = [followLog(db), followLog(other)];
  expect([await namesAfter(here, 0), await namesAfter(there, 0)]).toEqual([[], []]);
  await early.end("commit");
  expect(await namesAfter(here, 0)).toEqual(["early", "late"]);
  expect(await namesAfter(there, 0)).toEqual(["early", "late"]);
});

test("is not held up for ever by writes that overlap without end", async () => {
  await using t = await openTestPostgres([kernelMigrations]);
  const { db } = t;
  const follower = followLog(db);
  const lost = await beginWrite(db, "lost");
  await lost.end("roll back");
  const first = await beginWrite(db, "first");
  await appendNamed(db, ["a"]);
  expect(await namesAfter(follower, 0)).toEqual([]);
  const second = await beginWrite(db, "second");
  await appendNamed(db, ["b"]);
  expect(await namesAfter(follower, 0)).toEqual([]);
  await first.end("commit");
  await until(async () => expect(await namesAfter(follower, 0)).toEqual(["first", "a"]));
  await second.end("commit");
  expect(await namesAfter(follower, 3)).toEqual(["second", "b"]);
});

/** Makes an event called `held` wait between taking its position and being written. */
const holdUp: MigrationList = {
  component: "hold-up",
  migrations: [
    {
      name: "hold-up",
      up: () => `
        create function hold_up() returns trigger language plpgsql as $$ begin
          if new.event = 'held' then perform pg_advisory_xact_lock(1); end if;
          return new;
        end $$;
        create trigger hold_up before insert on events for each row execute function hold_up()`,
    },
  ],
};
const holdLock = systemStatement()((db) =>
  db.selectNoFrom(sql`pg_advisory_xact_lock(1)`.as("locked")),
);

test("waits even for a write that has taken its position and written nothing yet", async () => {
  await using t = await openTestPostgres([kernelMigrations, holdUp]);
  const follower = followLog(t.db);
  const locked = deferred();
  const end = deferred();
  const holder = t.db.writeSystem(async (tx) => {
    await tx.get(holdLock, {});
    locked.resolve();
    await end.promise;
  });
  await locked.promise;
  // One that has waited for an answer before is done by itself, and not begun anew when it has to
  // wait for a lock.
  const held = t.db.write(W1, async (tx) => {
    await tx.select({ sql: "select 1", values: [] });
    await appendEvent(tx, anEvent({ event: "held" }));
  });
  await until(async () => expect(await countWaiting(t.db)).toBe(1));
  await appendNamed(t.db, ["late"]);
  expect(await namesAfter(follower, 0)).toEqual([]);
  end.resolve();
  await holder;
  await held;
  expect(await namesAfter(follower, 0)).toEqual(["held", "late"]);
});

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createLogger } from "../../log/logger.ts";
import { deferred } from "../../testing/deferred.ts";
import {
  aThing,
  countThings,
  insertThing,
  selectThing,
  statement,
  thingMigrations,
  W1,
} from "../../testing/things.ts";
import { until } from "../../testing/until.ts";
import type { Transaction, WriteStats } from "../database.ts";
import type { ColumnTypes } from "../dialect.ts";
import { type MigrationList, migrate } from "../migrate.ts";
import { notDurable } from "./durability.ts";
import { openSqlite } from "./open-sqlite.ts";

const log = createLogger({ level: "silent", format: "json" });
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "orchestrator-test-"));
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(folder, { recursive: true, force: true });
});

async function openThings({
  maxWriteMs = 60_000,
  migrations = [] as MigrationList[],
  durability = notDurable,
} = {}) {
  const commits: number[] = [];
  const stats: WriteStats = { onCommit: (writes) => commits.push(writes) };
  const file = join(folder, "test.db");
  const db = openSqlite({ file, stats, log, durable: false, durability, maxWriteMs });
  await migrate(db, [thingMigrations, ...migrations]);
  commits.length = 0;
  return {
    db,
    /** How many writes shared each commit. */
    commits,
    add: (name: string) => db.write(W1, (tx) => tx.run(insertThing, aThing({ name }))),
    count: async () => (await db.in(W1).get(countThings, {}))?.count,
    [Symbol.asyncDispose]: () => db.close(),
  };
}

/**
 * A batch ends early when it takes long, which a test that counts commits must not leave to chance.
 */
function stopTheClock(): void {
  vi.useFakeTimers({ toFake: ["performance"] });
}

/** Keeps the writer busy until it is let go, so that what is submitted meanwhile waits together. */
async function occupy({ db }: { readonly db: ReturnType<typeof openSqlite> }) {
  const begun = deferred();
  const release = deferred();
  const done = db.write(W1, async () => {
    begun.resolve();
    await release.promise;
  });
  await begun.promise;
  return {
    async release() {
      release.resolve();
      await done;
    },
  };
}

test("commits once for all writes that arrive together", async () => {
  stopTheClock();
  await using t = await openThings();
  await Promise.all(Array.from({ length: 20 }, (_, n) => t.add(`thing ${n}`)));
  expect(t.commits).toEqual([20]);
});

test("commits once for all writes that arrive while another is under way", async () => {
  stopTheClock();
  await using t = await openThings();
  const first = await occupy(t);
  const waiting = Array.from({ length: 20 }, (_, n) => t.add(`thing ${n}`));
  await first.release();
  await Promise.all(waiting);
  expect(t.commits).toEqual([1, 20]);
});

test("splits a crowd into commits of bounded size, in the order of arrival", async () => {
  await using t = await openThings();
  const order: number[] = [];
  const crowd = Array.from({ length: 600 }, (_, n) =>
    t.db.write(W1, async (tx) => {
      await tx.run(insertThing, aThing({ name: `thing ${n}` }));
      order.push(n);
    }),
  );
  await Promise.all(crowd);
  expect(Math.max(...t.commits)).toBeLessThanOrEqual(256);
  expect(t.commits.reduce((sum, writes) => sum + writes, 0)).toBe(600);
  expect(order).toEqual(Array.from({ length: 600 }, (_, n) => n));
});

test("ends a batch that takes long, so that a commit does not wait for all who queue", async () => {
  stopTheClock();
  await using t = await openThings();
  const slow = Array.from({ length: 3 }, () =>
    t.db.write(W1, async () => {
      vi.advanceTimersByTime(11);
    }),
  );
  await Promise.all(slow);
  expect(t.commits).toEqual([1, 1, 1]);
});

test("does what a long batch left over before what came later", async () => {
  stopTheClock();
  await using t = await openThings();
  const order: string[] = [];
  const write = (name: string, work = () => {}) =>
    t.db.write(W1, async () => {
      order.push(name);
      work();
    });
  let later: Promise<unknown> = Promise.resolve();
  const first = write("first", () => {
    vi.advanceTimersByTime(11);
    later = write("later");
  });
  await Promise.all([first, write("second"), write("third")]);
  await later;
  expect(order).toEqual(["first", "second", "third", "later"]);
});

test("leaves the other writes of a batch whole when one fails", async () => {
  stopTheClock();
  await using t = await openThings();
  const outcomes = await Promise.allSettled([t.add("a"), t.add("b"), t.add("a"), t.add("c")]);
  expect(outcomes.map(({ status }) => status)).toEqual([
    "fulfilled",
    "fulfilled",
    "rejected",
    "fulfilled",
  ]);
  expect(t.commits).toEqual([2, 1]);
  expect(await t.count()).toBe(3);
});

test("lets later writes of a batch see the earlier ones", async () => {
  stopTheClock();
  await using t = await openThings();
  const [, seen] = await Promise.all([
    t.add("a"),
    t.db.write(W1, (tx) => tx.get(selectThing, { name: "a" })),
  ]);
  expect(seen).toMatchObject({ name: "a" });
  expect(t.commits).toEqual([2]);
});

test("shows readers the state before the batch as long as it is under way", async () => {
  stopTheClock();
  await using t = await openThings();
  const inside = deferred();
  const release = deferred();
  const first = t.add("a");
  const second = t.db.write(W1, async (tx) => {
    await tx.run(insertThing, aThing({ name: "b" }));
    inside.resolve();
    await release.promise;
  });
  await inside.promise;
  expect(await t.count()).toBe(0);
  release.resolve();
  await Promise.all([first, second]);
  expect(await t.count()).toBe(2);
});

test("answers no write of a batch before its commit", async () => {
  stopTheClock();
  await using t = await openThings();
  const answered: string[] = [];
  const inside = deferred();
  const release = deferred();
  const first = t.add("a").then(() => answered.push("a"));
  const refused = t.add("a").catch(() => answered.push("refused"));
  const second = t.db.write(W1, async () => {
    inside.resolve();
    await release.promise;
  });
  await inside.promise;
  expect(answered).toEqual([]);
  release.resolve();
  await Promise.all([first, refused, second]);
  expect(answered).toEqual(["a", "refused"]);
});

test("takes back a write that awaits something else for too long, and goes on", async () => {
  await using t = await openThings({ maxWriteMs: 50 });
  const release = deferred();
  let leaked: Promise<unknown> = Promise.resolve();
  const stuck = t.db.write(W1, async (tx: Transaction) => {
    await tx.run(insertThing, aThing({ name: "stuck" }));
    await release.promise;
    leaked = tx.run(insertThing, aThing({ name: "too late" }));
    await leaked;
  });
  const behind = t.add("behind");
  await expect(stuck).rejects.toThrow("taken back");
  await behind;
  release.resolve();
  await until(() => expect(leaked).rejects.toThrow("over"));
  expect(await t.count()).toBe(1);
});

test("takes back nothing for being slow while it works on the database", async () => {
  await using t = await openThings({ maxWriteMs: 20 });
  await t.db.write(W1, async (tx) => {
    const end = performance.now() + 60;
    for (let n = 0; performance.now() < end; n += 1) {
      await tx.run(insertThing, aThing({ name: `thing ${n}` }));
    }
  });
  expect(await t.count()).toBeGreaterThan(0);
});

test("takes back nothing that pauses for others now and then, and lets reads see the last commit meanwhile", async () => {
  await using t = await openThings({ maxWriteMs: 20 });
  await t.add("before");
  await t.db.write(W1, async (tx) => {
    const end = performance.now() + 60;
    for (let n = 0; performance.now() < end; n += 1) {
      await tx.run(insertThing, aThing({ name: `thing ${n}` }));
      await new Promise<void>((resolve) => setImmediate(resolve));
      expect(await t.count()).toBe(1);
    }
  });
  expect(await t.count()).toBeGreaterThan(1);
});

/** A step that is taken after those of the things. */
const aStep = (name: string, up: (types: ColumnTypes) => string): MigrationList => ({
  component: name,
  migrations: [{ name, up }],
});

test("refuses alone the write for which SQLite takes back the whole transaction", async () => {
  const giveUp = aStep(
    "give-up",
    () => `create trigger give_up before insert on things when new.name = 'bad' begin
      select raise(rollback, 'no more of this');
    end`,
  );
  stopTheClock();
  await using t = await openThings({ migrations: [giveUp] });
  const outcomes = await Promise.allSettled([t.add("a"), t.add("bad"), t.add("b")]);
  expect(outcomes).toMatchObject([
    { status: "fulfilled" },
    { status: "rejected", reason: { message: "no more of this" } },
    { status: "fulfilled" },
  ]);
  expect(await t.count()).toBe(2);
  expect(t.commits).toEqual([1, 1]);
});

test("runs a write that is refused and was alone only once", async () => {
  await using t = await openThings();
  await t.add("a");
  let runs = 0;
  const again = t.db.write(W1, async (tx) => {
    runs += 1;
    await tx.run(insertThing, aThing({ name: "b" }));
    await tx.run(insertThing, aThing({ name: "a" }));
  });
  await expect(again).rejects.toMatchObject({ code: "conflict" });
  expect(runs).toBe(1);
  expect(await t.count()).toBe(1);
});

test("does what a batch that is done again has no time for before what came later", async () => {
  stopTheClock();
  await using t = await openThings();
  const slowly = (name: string) =>
    t.db.write(W1, async (tx) => {
      await tx.run(insertThing, aThing({ name }));
      vi.advanceTimersByTime(6);
    });
  const outcomes = await Promise.allSettled([
    slowly("a"),
    slowly("a"),
    slowly("b"),
    slowly("c"),
    slowly("d"),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual([
    "fulfilled",
    "rejected",
    "fulfilled",
    "fulfilled",
    "fulfilled",
  ]);
  expect(await t.count()).toBe(4);
});

test("leaves nothing of a statement that fails after some of its rows", async () => {
  const insertThree = statement()((db, p) =>
    db
      .insertInto("things")
      .values(
        ["a", "b", "c"].map((name) => ({ ...aThing({ name }), workspace_id: p.workspace_id })),
      ),
  );
  stopTheClock();
  await using t = await openThings();
  await t.add("b");
  const [three, other] = await Promise.allSettled([
    t.db.write(W1, (tx) => tx.run(insertThree, {})),
    t.add("d"),
  ]);
  expect(three).toMatchObject({ status: "rejected", reason: { code: "conflict" } });
  expect(other.status).toBe("fulfilled");
  expect(await t.count()).toBe(2);
});

test("refuses alone the write whose reference is still missing at the commit", async () => {
  const owned = aStep(
    "owned",
    (types) => `create table owned (
      name text not null references owners (name) ${types.checkedAtCommit}
    );
    create table owners (name text primary key)`,
  );
  stopTheClock();
  await using t = await openThings({ migrations: [owned] });
  const own = (sqlText: string) => t.db.exclusively((session) => session.execute(sqlText));
  const outcomes = await Promise.allSettled([
    t.add("a"),
    own("insert into owned values ('nobody')"),
    own("insert into owned values ('later'); insert into owners values ('later')"),
    t.add("b"),
  ]);
  expect(outcomes).toMatchObject([
    { status: "fulfilled" },
    { status: "rejected", reason: { code: "conflict" } },
    { status: "fulfilled" },
    { status: "fulfilled" },
  ]);
  expect(await t.count()).toBe(2);
});

describe("what triggers have noted", () => {
  const noting = aStep(
    "noting",
    () => `create table noted (name text not null);
      create table worked_off (names integer not null);
      create trigger thing_noted after insert on things begin insert into noted values (new.name); end;
      create view before_commit as select name from noted;
      create trigger work_off instead of insert on before_commit begin
        insert into worked_off select count(*) from noted;
        delete from noted;
      end`,
  );
  const workedOff = ({ db }: { readonly db: ReturnType<typeof openSqlite> }) =>
    db.exclusively((session) => session.rows<{ names: number }>("select names from worked_off"));

  test("is worked off once for all writes of a commit", async () => {
    stopTheClock();
    await using t = await openThings({ migrations: [noting] });
    await Promise.all([t.add("a"), t.add("b"), t.add("c")]);
    await t.add("d");
    expect(await workedOff(t)).toEqual([{ names: 3 }, { names: 1 }]);
  });

  test("is worked off for each write of a batch of which one failed", async () => {
    stopTheClock();
    await using t = await openThings({ migrations: [noting] });
    await Promise.allSettled([t.add("a"), t.add("a"), t.add("b")]);
    expect(await workedOff(t)).toEqual([{ names: 1 }, { names: 1 }]);
  });

  test("is worked off from the step of the schema on that has it noted", async () => {
    await using t = await openThings();
    await t.add("a");
    await migrate(t.db, [noting]);
    await t.add("b");
    expect(await workedOff(t)).toEqual([{ names: 1 }]);
  });

  test("is worked off with the next commit where another program has noted it", async () => {
    await using t = await openThings({ migrations: [noting] });
    const other = new DatabaseSync(join(folder, "test.db"));
    other.exec("insert into noted values ('elsewhere')");
    other.close();
    await t.add("a");
    expect(await workedOff(t)).toEqual([{ names: 2 }]);
  });

  test("refuses alone the write for which it cannot be worked off", async () => {
    const refusing = aStep(
      "refusing",
      () => `create table noted (name text not null);
        create trigger thing_noted after insert on things begin insert into noted values (new.name); end;
        create view before_commit as select name from noted;
        create trigger work_off instead of insert on before_commit begin
          select raise(abort, 'not this one') from noted where name = 'bad';
          delete from noted;
        end`,
    );
    stopTheClock();
    await using t = await openThings({ migrations: [refusing] });
    const outcomes = await Promise.allSettled([t.add("a"), t.add("bad"), t.add("b")]);
    expect(outcomes).toMatchObject([
      { status: "fulfilled" },
      { status: "rejected", reason: { message: "not this one" } },
      { status: "fulfilled" },
    ]);
    expect(await t.count()).toBe(2);
  });

  test("costs nobody a write who changes nothing of it", async () => {
    await using t = await openThings({ migrations: [noting] });
    await t.db.write(W1, (tx) => tx.get(selectThing, { name: "a" }));
    expect(await workedOff(t)).toEqual([]);
  });
});

test("says unavailable to the write that the file has no room for, and does the others", async () => {
  stopTheClock();
  await using t = await openThings();
  const setLimit = (pages: number) =>
    t.db.exclusively((session) => session.rows(`pragma max_page_count = ${pages}`));
  await setLimit(1);
  const large = (name: string) => aThing({ name, data: `"${"x".repeat(100_000)}"` });
  const outcomes = await Promise.allSettled([
    t.add("a"),
    t.db.write(W1, (tx) => tx.run(insertThing, large("large"))),
    t.add("b"),
  ]);
  expect(outcomes).toMatchObject([
    { status: "fulfilled" },
    { status: "rejected", reason: { code: "unavailable", retryAfterSeconds: 1 } },
    { status: "fulfilled" },
  ]);
  await setLimit(1_000_000);
  expect(await t.db.write(W1, (tx) => tx.run(insertThing, large("large")))).toBe(1);
});

/**
 * Takes the lock of the file as soon as who has it lets go, before anybody else can. Closing lets
 * go of it, as nothing is prepared.
 */
function lockWhenFree(other: InstanceType<typeof DatabaseSync>, tries = 1000): void {
  try {
    other.exec("begin immediate");
  } catch (error) {
    if (tries === 0) throw error;
    queueMicrotask(() => lockWhenFree(other, tries - 1));
  }
}

test("answers what it has written of a batch when another program takes the file before the rest", async () => {
  stopTheClock();
  await using t = await openThings();
  await t.db.exclusively((session) => session.rows("pragma busy_timeout = 0"));
  const other = new DatabaseSync(join(folder, "test.db"));
  let runs = 0;
  const outcomes = await Promise.allSettled([
    t.add("a"),
    t.db.write(W1, async (tx) => {
      runs += 1;
      await tx.run(insertThing, aThing({ name: "b" }));
      // When it is done again, because of the one behind it.
      if (runs === 2) lockWhenFree(other);
    }),
    t.add("a"),
    t.add("c"),
  ]);
  other.close();
  expect(outcomes).toMatchObject([
    { status: "fulfilled" },
    { status: "fulfilled" },
    { status: "rejected", reason: { code: "unavailable" } },
    { status: "rejected", reason: { code: "unavailable" } },
  ]);
  expect(await t.count()).toBe(2);
});

test("keeps migrations and writes that come at the same time out of each other's way", async () => {
  await using t = await openThings();
  const extra: MigrationList = {
    component: "extra",
    migrations: [{ name: "extra", up: (types) => `create table extra (name ${types.text})` }],
  };
  const [first, second, added] = await Promise.all([
    migrate(t.db, [extra]),
    migrate(t.db, [extra]),
    t.add("a"),
  ]);
  expect([...first, ...second]).toEqual([{ component: "extra", name: "extra" }]);
  expect(added).toBe(1);
});

/** A disk that is done, or broken, when the test says so. */
function diskInHand() {
  let syncs = 0;
  let held: { readonly until: Promise<void> } | undefined;
  return {
    /** Every sync from now on waits until the disk is let go. */
    hold() {
      const { promise, resolve } = deferred<Error | void>();
      held = {
        until: promise.then((error) => {
          if (error) throw error;
        }),
      };
      return (error?: Error) => {
        held = undefined;
        resolve(error);
      };
    },
    syncs: () => syncs,
    durability: {
      ...notDurable,
      makeDurable: async () => {
        syncs += 1;
        await held?.until;
      },
    },
  };
}

test("answers a write only when the disk has it, and reads meanwhile", async () => {
  const disk = diskInHand();
  await using t = await openThings({ durability: disk.durability });
  await t.add("before");
  const syncsBefore = disk.syncs();
  const letGo = disk.hold();
  let isAnswered = false;
  const write = t.add("slow").then(() => (isAnswered = true));
  await vi.waitUntil(() => disk.syncs() > syncsBefore);
  for (let n = 0; n < 10; n += 1) await t.count();
  await new Promise((resolve) => setImmediate(resolve));
  expect(isAnswered).toBe(false);
  letGo();
  await write;
  expect(await t.count()).toBe(2);
});

test("syncs once for all writes that came while the disk was busy", async () => {
  stopTheClock();
  const disk = diskInHand();
  await using t = await openThings({ durability: disk.durability });
  const letGo = disk.hold();
  const syncsBefore = disk.syncs();
  const first = t.add("first");
  await vi.waitUntil(() => disk.syncs() > syncsBefore);
  const crowd = Array.from({ length: 20 }, (_, n) => t.add(`thing ${n}`));
  letGo();
  await Promise.all([first, ...crowd]);
  expect(t.commits).toEqual([1, 20]);
  expect(disk.syncs()).toBe(syncsBefore + 2);
});

test("refuses everything that waits and comes after a sync that failed", async () => {
  const disk = diskInHand();
  await using t = await openThings({ durability: disk.durability });
  const letGo = disk.hold();
  const syncsBefore = disk.syncs();
  const first = t.add("first");
  await vi.waitUntil(() => disk.syncs() > syncsBefore);
  const refused = Promise.all([
    expect(first).rejects.toThrow("the disk is gone"),
    expect(t.add("second")).rejects.toThrow("the disk is gone"),
  ]);
  letGo(new Error("the disk is gone"));
  await refused;
  await expect(t.add("third")).rejects.toThrow("the disk is gone");
  await expect(t.db.ping()).rejects.toThrow("the disk is gone");
  expect(disk.syncs()).toBe(syncsBefore + 1);
});

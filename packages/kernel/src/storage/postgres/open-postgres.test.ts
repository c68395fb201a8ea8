import pg from "pg";
import { expect, test } from "vitest";
import { createLogger } from "../../log/logger.ts";
import { deferred } from "../../testing/deferred.ts";
import { createTestPostgres } from "../../testing/postgres-databases.ts";
import {
  aThing,
  countThings,
  insertThing,
  resizeThing,
  selectThing,
  systemStatement,
  thingMigrations,
  W1,
} from "../../testing/things.ts";
import { until } from "../../testing/until.ts";
import type { Database, Transaction } from "../database.ts";
import { type MigrationList, migrate } from "../migrate.ts";
import { openPostgres } from "./open-postgres.ts";

const log = createLogger({ level: "silent", format: "json" });

const collisions: MigrationList = {
  component: "collisions",
  migrations: [
    {
      name: "collide",
      up: () => `create function collide() returns int language plpgsql as $$
        begin raise exception 'collision' using errcode = 'serialization_failure'; end $$`,
    },
  ],
};
const collide = systemStatement()((db) =>
  db.selectNoFrom((e) => e.fn<number>("collide", []).as("never")),
);
const selectBackend = systemStatement()((db) =>
  db.selectNoFrom((e) => e.fn<number>("pg_backend_pid", []).as("pid")),
);

async function openThings({ maxConnections = 5 } = {}) {
  const { url, drop } = await createTestPostgres();
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  // Otherwise every deadlock lasts a second.
  await admin.query(
    `alter database ${new URL(url).pathname.slice(1)} set deadlock_timeout = '20ms'`,
  );
  const commits: number[] = [];
  const stats = { onCommit: (writes: number) => commits.push(writes) };
  const db = openPostgres({ url, maxConnections, stats, log });
  await migrate(db, [thingMigrations, collisions]);
  commits.length = 0;
  return {
    db,
    admin,
    url,
    commits,
    add: (name: string) => db.write(W1, (tx) => tx.run(insertThing, aThing({ name }))),
    count: async () => (await db.in(W1).get(countThings, {}))?.count,
    async [Symbol.asyncDispose]() {
      await db.close();
      await admin.end();
      await drop();
    },
  };
}

const sizeOf = async (db: Database, name: string) =>
  (await db.in(W1).get(selectThing, { name }))?.size;

test("does both of two writes that deadlock, one after the other", async () => {
  await using t = await openThings();
  await t.add("a");
  await t.add("b");
  const reached = { a: deferred(), b: deferred() };
  let attempts = 0;
  const resizeBoth = (first: "a" | "b", second: "a" | "b", size: number) =>
    t.db.write(W1, async (tx) => {
      attempts += 1;
      await tx.run(resizeThing, { name: first, size });
      reached[first].resolve();
      await reached[second].promise;
      await tx.run(resizeThing, { name: second, size });
    });
  await Promise.all([resizeBoth("a", "b", 1), resizeBoth("b", "a", 2)]);
  expect(attempts).toBeGreaterThan(2);
  expect(await sizeOf(t.db, "a")).toBe(await sizeOf(t.db, "b"));
});

test("does a write again after collisions, and leaves nothing of the failed attempts", async () => {
  await using t = await openThings();
  let attempts = 0;
  await t.db.writeSystem(async (tx) => {
    attempts += 1;
    await tx.inWorkspace(W1).run(insertThing, aThing({ name: `attempt ${attempts}` }));
    if (attempts < 3) await tx.get(collide, {});
  });
  expect(attempts).toBe(3);
  expect(await t.count()).toBe(1);
  expect(t.commits).toEqual([1]);
});

test("does a write again when it ignored the collision itself", async () => {
  await using t = await openThings();
  let attempts = 0;
  await t.db.writeSystem(async (tx) => {
    attempts += 1;
    if (attempts < 2) await tx.get(collide, {}).catch(() => {});
  });
  expect(attempts).toBe(2);
});

test("gives up after several collisions in a row and says unavailable", async () => {
  await using t = await openThings();
  let attempts = 0;
  const unlucky = t.db.writeSystem(async (tx) => {
    attempts += 1;
    await tx.get(collide, {});
  });
  await expect(unlucky).rejects.toMatchObject({ code: "unavailable", retryAfterSeconds: 1 });
  expect(attempts).toBe(5);
});

test("does a write that fails for another reason only once", async () => {
  await using t = await openThings();
  let attempts = 0;
  const refused = t.db.write(W1, async () => {
    attempts += 1;
    throw new Error("second thoughts");
  });
  await expect(refused).rejects.toThrow("second thoughts");
  expect(attempts).toBe(1);
});

test("says unavailable when the connection is lost in the middle of a write, and recovers", async () => {
  await using t = await openThings();
  const interrupted = t.db.writeSystem(async (tx) => {
    await tx.inWorkspace(W1).run(insertThing, aThing());
    const backend = await tx.get(selectBackend, {});
    await terminate(t.admin, backend?.pid);
    await tx.inWorkspace(W1).get(countThings, {});
  });
  await expect(interrupted).rejects.toMatchObject({ code: "unavailable", retryAfterSeconds: 1 });
  expect(await t.count()).toBe(0);
  await t.add("lamp");
  expect(await t.count()).toBe(1);
});

test("says unavailable when the connection is lost before the commit", async () => {
  await using t = await openThings();
  const interrupted = t.db.writeSystem(async (tx) => {
    await tx.inWorkspace(W1).run(insertThing, aThing());
    const backend = await tx.get(selectBackend, {});
    await terminate(t.admin, backend?.pid);
  });
  await expect(interrupted).rejects.toMatchObject({ code: "unavailable" });
  expect(await t.count()).toBe(0);
});

test("answers again soon after all its connections were lost at once", async () => {
  await using t = await openThings();
  await Promise.all(Array.from({ length: 5 }, () => t.db.ping()));
  await t.admin.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
  );
  await until(() => t.add("lamp"));
  expect(await t.count()).toBe(1);
});

test("says unavailable when there is no server", async () => {
  const stats = { onCommit: () => {} };
  const db = openPostgres({
    url: "postgres://nobody@127.0.0.1:1/nothing",
    maxConnections: 2,
    stats,
    log,
  });
  const unavailable = { code: "unavailable", retryAfterSeconds: 1 };
  const add = (tx: Transaction) => tx.run(insertThing, aThing({ name: "lamp" }));
  await expect(db.write(W1, add)).rejects.toMatchObject(unavailable);
  await expect(db.in(W1).get(countThings, {})).rejects.toMatchObject(unavailable);
  await expect(db.ping()).rejects.toMatchObject(unavailable);
  await db.close();
});

test("refuses at once who comes when too many wait already, and serves those who waited", async () => {
  await using t = await openThings({ maxConnections: 1 });
  const begun = deferred();
  const release = deferred();
  const holder = t.db.write(W1, async (tx) => {
    await tx.get(countThings, {});
    begun.resolve();
    await release.promise;
  });
  await begun.promise;
  const waiting = Array.from({ length: 1000 }, () => t.count());
  // A slow machine may not come to the last of them before they have waited too long.
  const settled = Promise.allSettled(waiting);
  const refused = { code: "unavailable", retryAfterSeconds: 1 };
  await expect(t.count()).rejects.toMatchObject(refused);
  await expect(t.add("lamp")).rejects.toMatchObject(refused);
  release.resolve();
  await holder;
  expect(await Promise.all(waiting.slice(0, 10))).toEqual(Array(10).fill(0));
  await settled;
  await t.add("lamp");
});

test("refuses text that the server cannot hold as invalid", async () => {
  await using t = await openThings();
  await expect(t.add("zero \0 byte")).rejects.toMatchObject({ code: "invalid" });
});

test("acknowledges a write only when it is on disk, and lets no statement run for ever", async () => {
  await using t = await openThings();
  const settings = await t.db.exclusively((session) =>
    session.rows(
      `select name, setting from pg_settings
       where name in ('synchronous_commit', 'idle_in_transaction_session_timeout', 'TimeZone') order by name`,
    ),
  );
  expect(settings).toEqual([
    { name: "idle_in_transaction_session_timeout", setting: "30000" },
    { name: "synchronous_commit", setting: "on" },
    { name: "TimeZone", setting: "UTC" },
  ]);
  expect(await t.db.in(W1).select({ sql: "show statement_timeout", values: [] })).toEqual({
    statement_timeout: "30s",
  });
});

test("keeps its own session settings beside those in the address", async () => {
  await using t = await openThings();
  const options = encodeURIComponent("-c synchronous_commit=off -c jit=on -c work_mem=5MB");
  const stats = { onCommit: () => {} };
  const db = openPostgres({ url: `${t.url}?options=${options}`, maxConnections: 1, stats, log });
  const show = (name: string) => db.in(W1).select({ sql: `show ${name}`, values: [] });
  expect(await show("synchronous_commit")).toEqual({ synchronous_commit: "on" });
  expect(await show("jit")).toEqual({ jit: "off" });
  expect(await show("work_mem")).toEqual({ work_mem: "5MB" });
  await db.close();
});

test("shows where it is without the password", async () => {
  const stats = { onCommit: () => {} };
  const url = "postgres://me:hush@127.0.0.1:1/nothing";
  const db = openPostgres({ url, maxConnections: 1, stats, log });
  expect(db.location).toContain("127.0.0.1");
  expect(db.location).not.toContain("hush");
  await db.close();
});

async function terminate(admin: pg.Client, pid: number | undefined): Promise<void> {
  await admin.query("select pg_terminate_backend($1)", [pid]);
  await until(async () => {
    const { rows } = await admin.query("select 1 from pg_stat_activity where pid = $1", [pid]);
    expect(rows).toEqual([]);
  });
}

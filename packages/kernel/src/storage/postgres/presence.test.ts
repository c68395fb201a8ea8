import pg from "pg";
import { afterEach, expect, test, vi } from "vitest";
import { createLogger } from "../../log/logger.ts";
import { cutOffListeners } from "../../testing/cut-off-listeners.ts";
import { createTestPostgres } from "../../testing/postgres-databases.ts";
import { W1 } from "../../testing/things.ts";
import { until } from "../../testing/until.ts";
import type { Database } from "../database.ts";
import { openPostgres } from "./open-postgres.ts";
import { PRESENCE_LOCK } from "./presence.ts";

const log = createLogger({ level: "silent", format: "json" });
const stats = { onCommit: () => {} };

async function openPlace() {
  const { url, drop } = await createTestPostgres();
  const opened: Database[] = [];
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  return {
    admin,
    open(): Database {
      const db = openPostgres({ url, maxConnections: 3, stats, log });
      opened.push(db);
      return db;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(opened.map((db) => db.close()));
      await admin.end();
      await drop();
    },
  };
}

const write = (db: Database, topics: readonly string[] = []) =>
  db.write(W1, async (tx) => {
    for (const topic of topics) tx.notify(topic);
  });

const isAlone = (db: Database): boolean => db.wakeUps.tellEveryChange();

/** The server may take a moment to notice that another has gone. */
const untilAlone = (db: Database) =>
  until(() => {
    vi.advanceTimersByTime(5001);
    expect(isAlone(db)).toBe(true);
  });

afterEach(() => {
  vi.useRealTimers();
});

test("whoever works with a database alone hears of every change, until another has come", async () => {
  await using place = await openPlace();
  const first = place.open();
  await write(first);
  await until(() => expect(isAlone(first)).toBe(true));
  const second = place.open();
  await write(second);
  expect([isAlone(first), isAlone(second)]).toEqual([false, false]);
});

test("of several that come at once none is alone when the last of them has written", async () => {
  await using place = await openPlace();
  const replicas = Array.from({ length: 5 }, () => place.open());
  await Promise.all(replicas.map((db) => write(db)));
  expect(replicas.map(isAlone)).toEqual(replicas.map(() => false));
});

test("finds itself alone again, when it wants to know, some time after all others have gone", async () => {
  await using place = await openPlace();
  const [stays, goes] = [place.open(), place.open()];
  await Promise.all([write(stays), write(goes)]);
  vi.useFakeTimers({ toFake: ["performance"] });
  await goes.close();
  expect(isAlone(stays)).toBe(false);
  await untilAlone(stays);
});

test("asks the database whether it is alone when it must be certain", async () => {
  await using place = await openPlace();
  const [stays, goes] = [place.open(), place.open()];
  await Promise.all([write(stays), write(goes)]);
  const ask = () => Promise.all([stays.wakeUps.confirmAlone(), stays.wakeUps.confirmAlone()]);
  expect(await ask()).toEqual([false, false]);
  await goes.close();
  await until(async () => expect(await ask()).toEqual([true, true]));
  // What it has taken it gives back.
  const comes = place.open();
  await write(comes);
  expect([await stays.wakeUps.confirmAlone(), await comes.wakeUps.confirmAlone()]).toEqual([
    false,
    false,
  ]);
});

test("is not alone for certain without the connection that says so", async () => {
  await using place = await openPlace();
  const db = place.open();
  await write(db);
  await until(async () => expect(await db.wakeUps.confirmAlone()).toBe(true));
  await cutOffListeners(place.admin);
  await until(async () => expect(await db.wakeUps.confirmAlone()).toBe(false));
  await until(async () => expect(await db.wakeUps.confirmAlone()).toBe(true));
});

test("calls all listeners before it counts as alone: the last change of another may not have been told", async () => {
  await using place = await openPlace();
  const [stays, goes] = [place.open(), place.open()];
  await Promise.all([write(stays), write(goes)]);
  const aloneWhenCalled: boolean[] = [];
  stays.wakeUps.on("things", () => aloneWhenCalled.push(isAlone(stays)));
  vi.useFakeTimers({ toFake: ["performance"] });
  await goes.close();
  await untilAlone(stays);
  expect(aloneWhenCalled).toEqual([false]);
});

test("is not alone while it cannot hear others", async () => {
  await using place = await openPlace();
  const db = place.open();
  await write(db);
  await cutOffListeners(place.admin);
  await until(() => expect(isAlone(db)).toBe(false));
  await until(() => expect(isAlone(db)).toBe(true));
});

test("tells nobody of its changes while there is nobody to tell", async () => {
  await using place = await openPlace();
  const heard: string[] = [];
  place.admin.on("notification", ({ payload = "" }) => heard.push(payload.replace(/^\S+ /, "")));
  await place.admin.query("listen orchestrator_nudges");
  const first = place.open();
  await write(first, ["alone"]);
  const second = place.open();
  await write(second, ["together"]);
  await until(() => expect(heard).toContain("together"));
  expect(heard).not.toContain("alone");
});

test("one that hangs while it is alone is waited for only so long, and called until it hears", async () => {
  await using place = await openPlace();
  await place.admin.query("select pg_advisory_lock($1)", [PRESENCE_LOCK]);
  const db = place.open();
  await write(db);
  expect(isAlone(db)).toBe(false);
  await place.admin.query("select pg_advisory_unlock($1)", [PRESENCE_LOCK]);
  await until(() => expect(isAlone(db)).toBe(true));
});

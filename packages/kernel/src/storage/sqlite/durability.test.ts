import { mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createLogger } from "../../log/logger.ts";
import { aThing, countThings, insertThing, thingMigrations, W1 } from "../../testing/things.ts";
import { migrate } from "../migrate.ts";
import { type LongReaders, syncedToDisk } from "./durability.ts";
import { openSqlite } from "./open-sqlite.ts";

const log = createLogger({ level: "silent", format: "json" });
const stats = { onCommit: () => {} };
let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "orchestrator-test-"));
  file = join(folder, "test.db");
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const MIB = 1024 * 1024;

test("keeps the write-ahead log short however much is written", async () => {
  const db = openSqlite({ file, stats, log, durable: true });
  await migrate(db, [thingMigrations]);
  const data = JSON.stringify("x".repeat(200_000));
  const sizes: number[] = [];
  for (let n = 0; n < 200; n += 1) {
    await db.write(W1, (tx) => tx.run(insertThing, aThing({ name: `thing ${n}`, data })));
    sizes.push(statSync(`${file}-wal`).size);
  }
  expect(Math.max(...sizes)).toBeGreaterThan(8 * MIB);
  expect(sizes.at(-1)).toBeLessThan(20 * MIB);
  expect(statSync(file).size).toBeGreaterThan(16 * MIB);
  expect(await db.in(W1).get(countThings, {})).toEqual({ count: 200 });
  await db.close();
  const again = openSqlite({ file, stats, log, durable: true });
  expect(await again.in(W1).get(countThings, {})).toEqual({ count: 200 });
  await again.close();
});

test("keeps the log of the file itself where that is reached by a link", async () => {
  const link = join(folder, "link.db");
  mkdirSync(join(folder, "elsewhere"));
  const target = join(folder, "elsewhere", "target.db");
  writeFileSync(target, "");
  symlinkSync(target, link);
  // As an earlier file of that name left it.
  writeFileSync(`${link}-wal`, "");
  const db = openSqlite({ file: link, stats, log, durable: true });
  await migrate(db, [thingMigrations]);
  const data = JSON.stringify("x".repeat(200_000));
  for (let n = 0; n < 100; n += 1)
    await db.write(W1, (tx) => tx.run(insertThing, aThing({ name: `thing ${n}`, data })));
  expect(statSync(target).size).toBeGreaterThan(8 * MIB);
  await db.close();
});

test("lets another program copy the database as it is at one moment, while writes go on", async () => {
  const db = openSqlite({ file, stats, log, durable: true });
  await migrate(db, [thingMigrations]);
  const add = (name: string) => db.write(W1, (tx) => tx.run(insertThing, aThing({ name })));
  await add("before");
  const meanwhile = ["one", "two", "three"].map(add);
  const beside = new DatabaseSync(file);
  const copy = join(folder, "copy.db");
  beside.exec(`vacuum into '${copy}'`);
  beside.close();
  await Promise.all(meanwhile);
  expect(await db.in(W1).get(countThings, {})).toEqual({ count: 4 });
  await db.close();
  const restored = openSqlite({ file: copy, stats, log, durable: true });
  expect(await migrate(restored, [thingMigrations])).toEqual([]);
  expect(await restored.in(W1).get(countThings, {})).toEqual({ count: 1 });
  await restored.close();
});

/** A database whose log is long from the start, and something that reads it all the while. */
async function whileRead(readers: LongReaders) {
  const durability = syncedToDisk(file, { log, longLogBytes: MIB / 8, readers });
  const db = openSqlite({ file, stats, log, durable: true, durability });
  await migrate(db, [thingMigrations]);
  const reader = new DatabaseSync(file);
  reader.exec("begin; select count(*) from things");
  const data = JSON.stringify("x".repeat(20_000));
  let written = 0;
  const write = () => {
    written += 1;
    return db.write(W1, (tx) => tx.run(insertThing, aThing({ name: `thing ${written}`, data })));
  };
  return { db, reader, write, size: () => statSync(`${file}-wal`).size };
}

test("asks who reads to make room when the log has become very long by that, until it is started afresh", async () => {
  const told: string[] = [];
  const readers = {
    isReading: true,
    pause: () => told.push("pause"),
    resume: () => told.push("resume"),
  };
  const { db, reader, write, size } = await whileRead(readers);
  while (told.length === 0) await write();
  const longest = size();
  expect(longest).toBeGreaterThan(MIB);
  await write();
  expect(new Set(told)).toEqual(new Set(["pause"]));
  reader.close();
  while (told.at(-1) !== "resume") await write();
  expect(size()).toBeLessThan(longest);
  await db.close();
});

test("stops nobody who reads where something else reads the file", async () => {
  const told: string[] = [];
  const readers = { isReading: false, pause: () => told.push("pause"), resume: () => {} };
  const { db, reader, write, size } = await whileRead(readers);
  for (let n = 0; n < 300; n += 1) await write();
  expect(size()).toBeGreaterThan(MIB);
  expect(told).toEqual([]);
  reader.close();
  await db.close();
});

test("says what to do when the disk does not keep what was written", async () => {
  const nowhere = syncedToDisk(join(folder, "missing", "test.db"), { log });
  await expect(nowhere.makeDurable()).rejects.toMatchObject({
    code: "unavailable",
    message: expect.stringContaining("restart the server"),
  });
  await nowhere.close();
});

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createLogger } from "../../log/logger.ts";
import { aThing, countThings, insertThing, thingMigrations, W1 } from "../../testing/things.ts";
import { migrate } from "../migrate.ts";
import { openDatabase } from "../open-database.ts";
import { openSqlite } from "./open-sqlite.ts";
import { SqliteConnection } from "./sqlite-connection.ts";

const log = createLogger({ level: "silent", format: "json" });
const stats = { onCommit: () => {} };
let file: string;
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "orchestrator-test-"));
  file = join(folder, "test.db");
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const NORMAL = 1;

test("writes ahead, and leaves syncs and checkpoints to threads beside the event loop, when opened for use", async () => {
  const db = openDatabase({ url: `sqlite:${file}`, maxConnections: 1, stats, log });
  const settings = await db.exclusively(async (session) => [
    ...(await session.rows("pragma synchronous")),
    ...(await session.rows("pragma journal_mode")),
    ...(await session.rows("pragma foreign_keys")),
    ...(await session.rows("pragma wal_autocheckpoint")),
  ]);
  expect(settings).toEqual([
    { synchronous: NORMAL },
    { journal_mode: "wal" },
    { foreign_keys: 1 },
    { wal_autocheckpoint: 0 },
  ]);
  await db.close();
});

test("finds what an earlier opening committed", async () => {
  const first = openSqlite({ file, stats, log, durable: true });
  await migrate(first, [thingMigrations]);
  await first.write(W1, (tx) => tx.run(insertThing, aThing()));
  await first.close();
  const second = openSqlite({ file, stats, log, durable: true });
  expect(await migrate(second, [thingMigrations])).toEqual([]);
  expect(await second.in(W1).get(countThings, {})).toEqual({ count: 1 });
  await second.close();
});

test("cannot change anything through a reader", async () => {
  const db = openSqlite({ file, stats, log, durable: false });
  await migrate(db, [thingMigrations]);
  await expect(
    db.in(W1).select({ sql: "delete from things returning name", values: [] }),
  ).rejects.toMatchObject({
    code: "unavailable",
  });
  await db.close();
});

test("says unavailable when the file cannot be opened", () => {
  const lost = join(folder, "missing", "test.db");
  expect(() => openSqlite({ file: lost, stats, log, durable: false })).toThrow(
    expect.objectContaining({ code: "unavailable", retryAfterSeconds: 1 }),
  );
});

test("passes an error on as it is when it is nobody's data or disk", () => {
  const connection = new SqliteConnection(file, {});
  expect(() => connection.execute("selekt")).toThrow("syntax error");
  connection.close();
});

test("keeps answering after more kinds of queries than it keeps prepared", () => {
  const connection = new SqliteConnection(file, {});
  for (const n of [...Array(600).keys(), 0, 599]) {
    expect(connection.select({ sql: `select ${n} + ?1 as sum`, values: [1] })).toEqual({
      sum: n + 1,
    });
  }
  connection.close();
});

test("shows where it is", async () => {
  const db = openSqlite({ file, stats, log, durable: false });
  expect(db.location).toBe(`sqlite: ${file}`);
  await db.close();
});

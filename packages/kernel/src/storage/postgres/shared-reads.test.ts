import pg from "pg";
import { expect, test } from "vitest";
import { createTestPostgres } from "../../testing/postgres-databases.ts";
import { until } from "../../testing/until.ts";
import { createPool } from "./postgres-pool.ts";
import { SharedReads } from "./shared-reads.ts";

async function openReads() {
  const { url, drop } = await createTestPostgres();
  const pool = createPool({ url, maxConnections: 5, onIdleError: () => {} });
  const reads = new SharedReads(() => pool.connect());
  return {
    pool,
    read: (text: string) => reads.run((client) => client.query(text)),
    async [Symbol.asyncDispose]() {
      await pool.end();
      await drop();
    },
  };
}

const times = <T>(count: number, of: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => of(n));
const PID = "select pg_backend_pid() as pid";
const pidsOf = (results: readonly pg.QueryResult[]) =>
  new Set(results.map(({ rows }) => rows[0].pid));

test("reads that come together share a connection, and each gets its own answer", async () => {
  await using t = await openReads();
  const answers = await Promise.all(times(16, (n) => t.read(`${PID}, ${n} as n`)));
  expect(answers.map(({ rows }) => rows[0].n)).toEqual(times(16, (n) => n));
  expect(pidsOf(answers).size).toBe(1);
});

test("so do those that come while one is under way", async () => {
  await using t = await openReads();
  const first = t.read(`select pg_backend_pid() as pid from pg_sleep(0.05)`);
  await until(() => expect([t.pool.totalCount, t.pool.idleCount]).toEqual([1, 0]));
  const answers = await Promise.all([first, ...times(3, () => t.read(PID))]);
  expect(pidsOf(answers).size).toBe(1);
});

test("whoever comes after too many takes another connection, and all are given back", async () => {
  await using t = await openReads();
  const answers = await Promise.all(times(33, () => t.read(PID)));
  expect(pidsOf(answers).size).toBe(3);
  expect([t.pool.totalCount, t.pool.idleCount]).toEqual([3, 3]);
});

test("one that fails fails alone", async () => {
  await using t = await openReads();
  const answers = await Promise.allSettled(
    ["select 1", "select 1/0", "select nothing", "select 2"].map(t.read),
  );
  const statuses = answers.map(({ status }) => status);
  expect(statuses).toEqual(["fulfilled", "rejected", "rejected", "fulfilled"]);
});

test("a lost connection fails what is under way on it, and nothing after", async () => {
  await using t = await openReads();
  const lost = Promise.allSettled([t.read("select pg_sleep(10)"), t.read(PID), t.read(PID)]);
  await until(() => expect([t.pool.totalCount, t.pool.idleCount]).toEqual([1, 0]));
  const { rows } = await t.pool.query(
    "select pg_terminate_backend(pid) as ended from pg_stat_activity where query = 'select pg_sleep(10)'",
  );
  expect(rows).toEqual([{ ended: true }]);
  expect((await lost).map(({ status }) => status)).toEqual(times(3, () => "rejected"));
  expect((await t.read(PID)).rows).toHaveLength(1);
});

test("where there is no connection, all who would share it are told", async () => {
  const reads = new SharedReads(() => Promise.reject(new Error("away")));
  const read = () =>
    reads.run((client) => client.query(PID)).catch((error: Error) => error.message);
  expect(await Promise.all(times(3, read))).toEqual(["away", "away", "away"]);
});

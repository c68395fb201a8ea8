import pg from "pg";
import { expect, test } from "vitest";
import { createTestPostgres } from "../../testing/postgres-databases.ts";
import { until } from "../../testing/until.ts";
import { createPool } from "./postgres-pool.ts";
import { SharedReads } from "./shared-reads.ts";

async function openReads({ maxConnections = 5 } = {}) {
  const { url, drop } = await createTestPostgres();
  const pool = createPool({ url, maxConnections, onIdleError: () => {} });
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  const reads = new SharedReads({
    connect: () => pool.connect(),
    isAwaited: () => pool.waitingCount > 0,
  });
  return {
    pool,
    admin,
    /** Until the server does nothing but wait for a while on some connection. */
    untilAsleep: (then: (pid: number) => Promise<unknown> = async () => {}) =>
      until(async () => {
        const { rows } = await admin.query(
          "select pid from pg_stat_activity where query like '%pg_sleep%' and state = 'active' and pid <> pg_backend_pid()",
        );
        expect(rows).toHaveLength(1);
        await then(rows[0].pid);
      }),
    read: (text: string) => reads.run((client) => client.query(text)),
    async [Symbol.asyncDispose]() {
      await pool.end();
      await admin.end();
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

test("whoever comes after too many takes another connection, and all are given back", async () => {
  await using t = await openReads();
  const answers = await Promise.all(times(33, () => t.read(PID)));
  expect(pidsOf(answers).size).toBe(3);
  expect([t.pool.totalCount, t.pool.idleCount]).toEqual([3, 3]);
});

test("nobody joins one where nothing was answered for a while", async () => {
  await using t = await openReads();
  await t.read(PID);
  const slow = t.read("select pg_backend_pid() as pid from pg_sleep(2)");
  await t.untilAsleep();
  await new Promise((resolve) => setTimeout(resolve, 50));
  const quick = await t.read(PID);
  expect(pidsOf([quick, await slow]).size).toBe(2);
});

test("reads that never end leave connections to others", async () => {
  await using t = await openReads({ maxConnections: 2 });
  let isOver = false;
  const readers = times(10, async () => {
    while (!isOver) await t.read("select 1");
  });
  for (let n = 0; n < 5; n += 1) expect((await t.pool.query(PID)).rows).toHaveLength(1);
  isOver = true;
  await Promise.all(readers);
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
  const lost = Promise.allSettled([t.read("select pg_sleep(30)"), t.read(PID), t.read(PID)]);
  await t.untilAsleep((pid) => t.admin.query("select pg_terminate_backend($1)", [pid]));
  expect((await lost).map(({ status }) => status)).toEqual(times(3, () => "rejected"));
  expect((await t.read(PID)).rows).toHaveLength(1);
});

test("where there is no connection, all who would share it are told", async () => {
  const reads = new SharedReads({
    connect: () => Promise.reject(new Error("away")),
    isAwaited: () => false,
  });
  const read = () =>
    reads.run((client) => client.query(PID)).catch((error: Error) => error.message);
  expect(await Promise.all(times(3, read))).toEqual(["away", "away", "away"]);
});

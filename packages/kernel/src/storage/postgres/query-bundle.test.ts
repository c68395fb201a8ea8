import type { PoolClient, QueryResult } from "pg";
import { expect, test } from "vitest";
import { createTestPostgres } from "../../testing/postgres-databases.ts";
import { createPool } from "./postgres-pool.ts";
import { type Message, PreparedQuery } from "./prepared-query.ts";
import { QueryBundle } from "./query-bundle.ts";

async function openClient() {
  const { url, drop } = await createTestPostgres();
  const pool = createPool({ url, maxConnections: 3, onIdleError: () => {} });
  const client = await pool.connect();
  client.on("error", () => {});
  return {
    client,
    other: () => pool.connect(),
    async [Symbol.asyncDispose]() {
      client.release(true);
      await pool.end();
      await drop();
    },
  };
}

const bundled = async (client: PoolClient, messages: readonly Message[]) => {
  const bundle = new QueryBundle();
  const answers = messages.map((message) => new PreparedQuery(message).run(bundle.line));
  const [sent, ...others] = await Promise.allSettled([bundle.send(client), ...answers]);
  return { sent, answers: others };
};

const sendAll = async (client: PoolClient, messages: readonly Message[]) =>
  (await bundled(client, messages)).answers as PromiseSettledResult<QueryResult>[];

const rowsOf = (answers: readonly PromiseSettledResult<QueryResult>[]) =>
  answers.map((answer) => (answer.status === "fulfilled" ? answer.value.rows : answer.reason.code));

const number = (n: number): Message => ({ name: "n", text: "select $1::int as n", values: [n] });
const word = (text: string): Message => ({ name: "w", text: "select $1 as w", values: [text] });
const DIVIDE = { name: "d", text: "select 1 / $1::int as d", values: [0] };

test("each statement gets its own answer, whether the connection knows it or not", async () => {
  await using t = await openClient();
  const unnamed = { text: "select 'x' as x where $1", values: [false] };
  const messages = [number(1), word("a"), unnamed, number(2), word("b")];
  const expected = [[{ n: 1 }], [{ w: "a" }], [], [{ n: 2 }], [{ w: "b" }]];
  expect(rowsOf(await sendAll(t.client, messages))).toEqual(expected);
  expect(rowsOf(await sendAll(t.client, messages))).toEqual(expected);
});

test("values are read as they are read anywhere else", async () => {
  await using t = await openClient();
  const count = { name: "c", text: "select count(*) as n, null as nothing", values: [] };
  const alone = await new PreparedQuery(count).run(t.client);
  const other = { ...count, name: "other" };
  expect(rowsOf(await sendAll(t.client, [other]))).toEqual([alone.rows]);
});

test("a change tells how many rows it was", async () => {
  await using t = await openClient();
  await t.client.query("create temporary table numbers (n integer)");
  const insert = { name: "i", text: "insert into numbers values ($1), ($1)", values: [1] };
  const [added, counted] = await sendAll(t.client, [
    insert,
    { text: "select count(*)::int as n from numbers", values: [] },
  ]);
  expect(added).toMatchObject({ value: { rowCount: 2 } });
  expect(counted).toMatchObject({ value: { rows: [{ n: 2 }] } });
});

test("where one fails those before it have their answers, and those behind it fail like it", async () => {
  await using t = await openClient();
  const answers = await sendAll(t.client, [number(1), DIVIDE, number(2), word("never prepared")]);
  expect(rowsOf(answers)).toEqual([[{ n: 1 }], "22012", "22012", "22012"]);
  // The connection is as good as before, and knows what it has prepared.
  expect(rowsOf(await sendAll(t.client, [word("a"), number(3)]))).toEqual([
    [{ w: "a" }],
    [{ n: 3 }],
  ]);
});

test("all of it is committed when the server is done, and nothing where one fails", async () => {
  await using t = await openClient();
  await t.client.query("create table numbers (n integer)");
  const add = { name: "a", text: "insert into numbers values ($1)", values: [1] };
  const failed = await bundled(t.client, [add, DIVIDE]);
  expect(failed.sent).toMatchObject({ status: "rejected", reason: { code: "22012" } });
  const done = await bundled(t.client, [add, add]);
  expect(done.sent).toMatchObject({ status: "fulfilled" });
  const other = await t.other();
  expect((await other.query("select n from numbers")).rows).toHaveLength(2);
  other.release();
});

test("it fails where only the commit finds out what is wrong, and nothing is kept", async () => {
  await using t = await openClient();
  await t.client.query("create table once (n integer unique deferrable initially deferred)");
  const add = { name: "a", text: "insert into once values ($1)", values: [1] };
  const { sent, answers } = await bundled(t.client, [add, add]);
  expect(answers.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled"]);
  expect(sent).toMatchObject({ status: "rejected", reason: { code: "23505" } });
  expect((await t.client.query("select n from once")).rows).toEqual([]);
});

test("what is sent behind a bundle is answered behind it", async () => {
  await using t = await openClient();
  const failing = sendAll(t.client, [number(1), DIVIDE, word("a")]);
  const behind = t.client.query("select 5 as five");
  expect(rowsOf(await failing)).toEqual([[{ n: 1 }], "22012", "22012"]);
  expect((await behind).rows).toEqual([{ five: 5 }]);
});

test("all fail whose connection is lost", async () => {
  await using t = await openClient();
  const { rows } = await t.client.query("select pg_backend_pid() as pid");
  const sleep = { name: "s", text: "select pg_sleep($1)", values: [30] };
  const lost = sendAll(t.client, [sleep, number(1)]);
  const other = await t.other();
  await other.query("select pg_terminate_backend($1)", [rows[0].pid]);
  other.release();
  expect((await lost).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
});

test("an empty one is not sent", async () => {
  await using t = await openClient();
  expect(await sendAll(t.client, [])).toEqual([]);
  expect((await t.client.query("select 1 as one")).rows).toEqual([{ one: 1 }]);
});

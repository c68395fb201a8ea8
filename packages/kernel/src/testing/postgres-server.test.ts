import { access } from "node:fs/promises";
import { Client } from "pg";
import { expect, test } from "vitest";
import { startPostgres } from "./postgres-server.ts";

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

test("answers on its URL and leaves nothing behind", async () => {
  let dataDir: string;
  {
    await using server = await startPostgres();
    dataDir = server.dataDir;
    expect(await query(server.url, "select 1 as one")).toEqual([{ one: 1 }]);
    expect(await query(server.url, "show fsync")).toEqual([{ fsync: "off" }]);
  }
  await expect(access(dataDir)).rejects.toMatchObject({ code: "ENOENT" });
});

test.each(["fast", "immediate"] as const)("keeps committed rows over a stop: %s", async (mode) => {
  await using server = await startPostgres({ durable: true });
  await query(server.url, "create table kept as select 42 as answer");
  await server.stop(mode);
  await expect(query(server.url, "select 1")).rejects.toMatchObject({ code: "ECONNREFUSED" });
  await server.start();
  expect(await query(server.url, "select answer from kept")).toEqual([{ answer: 42 }]);
});

test("says why it could not start", async () => {
  await using server = await startPostgres();
  await expect(startPostgres({ port: server.port })).rejects.toThrow("Address already in use");
});

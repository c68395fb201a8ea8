import { once } from "node:events";
import { createReadStream, existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { retryUntil } from "../support/until.ts";
import { type ExampleWorld, example, openExamples } from "./support.ts";

const TOTALS = { Bern: 1500, Oslo: 1000, Lima: 4000 };

async function totalsOf(world: ExampleWorld, env: Readonly<Record<string, string>> = {}) {
  const target = join(world.folder, "totals.json");
  await using etl = world.start("etl/etl.mjs", { TARGET: target, ...env });
  expect(await etl.ended, etl.printed()).toBe(0);
  return JSON.parse(await readFile(target, "utf8")) as unknown;
}

test("the ETL example adds up the orders of all days and keeps a table", async () => {
  await using world = await openExamples();
  expect(await totalsOf(world)).toEqual(TOTALS);
  const [artifact] = await world.client.artifacts.list({
    artifacts: { key: { any_: ["sales-by-city"] } },
  });
  expect(artifact).toMatchObject({ type: "table" });
  const [run] = await world.client.flowRuns.list({});
  expect(run).toMatchObject({ name: "etl of 3 days", state_type: "COMPLETED" });
  await retryUntil(async () => {
    const names = (await world.client.taskRuns.list({})).map(({ name }) => name);
    expect(names.filter((name) => name.startsWith("extract 2026"))).toHaveLength(3);
    expect(names).toHaveLength(7);
  });
});

test("the ETL example asks a shop that is busy again, and fails for good when it stays so", async () => {
  await using world = await openExamples();
  let failures = 3;
  const shop = createServer((request, answer) => {
    failures -= 1;
    const file = example(`etl/orders${request.url}`);
    if (failures >= 0) answer.writeHead(503).end();
    else if (existsSync(file)) createReadStream(file).pipe(answer);
    else answer.writeHead(404).end();
  }).listen(0, "127.0.0.1");
  await once(shop, "listening");
  const { port } = shop.address() as AddressInfo;
  expect(await totalsOf(world, { SOURCE: `http://127.0.0.1:${port}` })).toEqual(TOTALS);
  await retryUntil(async () => {
    const runs = await world.client.taskRuns.list({});
    const tries = runs.filter(({ name }) => name.startsWith("extract")).map((run) => run.run_count);
    expect(tries.reduce((sum, count) => sum + count, 0)).toBe(6);
  });
  await using lost = world.start("etl/etl.mjs", { SOURCE: `http://127.0.0.1:${port}/elsewhere` });
  expect(await lost.ended).toBe(1);
  expect(lost.printed()).toContain("answered 404");
  shop.close();
});

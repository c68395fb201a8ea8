// A server that asks who is there lets in the worker it brings, and clients that are told how.

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createClient, createUptimeClient } from "@orchestrator/client/node";
import { expect, test } from "vitest";
import { ACCOUNTS_MODE_ENV, startReadyServer } from "../support/server-process.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { retryUntil } from "../support/until.ts";

type Client = ReturnType<typeof createClient>;

/** A run of the worker beside the server, whose job asks the server something by itself. */
async function runJob(client: Client): Promise<void> {
  const { id: flow_id } = await client.flows.create({ name: "first" });
  const { id } = await client.deployments.create({
    name: "first",
    flow_id,
    work_pool_name: "default",
    job_variables: { command: "env | grep -q ^ORCHESTRATOR_API_[AK]" },
  });
  const run = await client.deployments.createFlowRun(id);
  await retryUntil(async () => {
    expect((await client.flowRuns.read(run.id)).state_type).toBe("COMPLETED");
  });
}

test("with one password, which clients have in their settings", async () => {
  await using folder = await temporaryFolder();
  const env = { ORCHESTRATOR_SERVER_AUTH_STRING: "admin:secret" };
  const home = join(folder.path, "home");
  await using server = await startReadyServer({ home, flags: ["--worker"], env });
  const url = { ORCHESTRATOR_HOME: folder.path, ORCHESTRATOR_API_URL: `${server.url}/api` };
  const stranger = createClient({ env: url });
  await expect(stranger.workPools.read("default")).rejects.toMatchObject({ status: 401 });
  const client = createClient({ env: { ...url, ORCHESTRATOR_API_AUTH_STRING: "admin:secret" } });
  await runJob(client);
  await client.events.create([{ event: "x.y", resource: { "orchestrator.resource.id": "x" } }]);
  const events = client.events.follow({ event: { prefix: ["x."] } }, { backfill: true });
  expect(await events.next()).toMatchObject({ value: { event: "x.y" } });
  await events.return();
});

test("with accounts, by a key of its own that lies in the data folder", async () => {
  await using folder = await temporaryFolder();
  const env = ACCOUNTS_MODE_ENV;
  const home = join(folder.path, "home");
  const start = () => startReadyServer({ home, flags: ["--worker"], env });
  const first = await start();
  const [key = ""] = /orc_[\w-]{43}/.exec(first.stdout()) ?? [];
  const own = { ORCHESTRATOR_HOME: folder.path, ORCHESTRATOR_API_KEY: key };
  await runJob(createClient({ env: { ...own, ORCHESTRATOR_API_URL: `${first.url}/api` } }));
  const file = join(home, "local-worker.key");
  const before = await readFile(file, "utf8");
  await first[Symbol.asyncDispose]();
  await using server = await start();
  expect(await readFile(file, "utf8")).toBe(before);

  // The uptime service is asked in the same workspace, with the same key.
  const [below = ""] = /\/api\/accounts\/\S+/.exec(first.stdout()) ?? [];
  const settings = { ...own, ORCHESTRATOR_API_URL: `${server.url}${below}` };
  const uptime = createUptimeClient({ env: settings });
  expect(uptime.url).toBe(`${server.url}/uptime${below}`);
  expect(await uptime.monitors.list()).toEqual([]);
});

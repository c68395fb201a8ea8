// A server that brings its own worker, as `npm start` does.

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createClient, type OrchestratorClient } from "@orchestrator/client";
import { expect, test } from "vitest";
import { startReadyServer } from "../support/server-process.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { retryUntil } from "../support/until.ts";
import { isProcessRunning } from "./support.ts";

async function run(client: OrchestratorClient, folder: string, command: string): Promise<string> {
  const { id: flow_id } = await client.flows.create({ name: "first" });
  await retryUntil(async () =>
    expect((await client.workPools.read("default")).type).toBe("process"),
  );
  const { id } = await client.deployments.create({
    name: "first",
    flow_id,
    work_pool_name: "default",
    job_variables: { command, working_dir: folder },
  });
  return (await client.deployments.createFlowRun(id)).id;
}

test("the first deployment runs without anything else, and the job is not told the server's secrets", async () => {
  await using folder = await temporaryFolder();
  await using server = await startReadyServer({
    home: join(folder.path, "home"),
    flags: ["--worker"],
    env: { ORCHESTRATOR_SECRET_KEY: "ab".repeat(32), UPTIME_PASSWORD: "hunter2hunter2" },
  });
  expect(server.stdout()).toContain("carries out the runs of the work pool default");
  const client = createClient({ url: `${server.url}/api` });
  const id = await run(client, folder.path, "env > env.txt; echo $PPID > worker.pid");
  await retryUntil(async () => {
    expect((await client.flowRuns.read(id)).state_type).toBe("COMPLETED");
  });
  const env = await readFile(join(folder.path, "env.txt"), "utf8");
  expect(env).toContain(`ORCHESTRATOR_FLOW_RUN_ID=${id}`);
  expect(env).not.toContain("hunter2");
  expect(env).not.toContain("abab");
  const worker = Number(await readFile(join(folder.path, "worker.pid"), "utf8"));
  expect(isProcessRunning(worker)).toBe(true);
  server.kill("SIGTERM");
  expect(await server.exited).toEqual({ code: 0, signal: null });
  expect(isProcessRunning(worker)).toBe(false);
});

test("its worker does not outlive a server that was killed", async () => {
  await using folder = await temporaryFolder();
  await using server = await startReadyServer({
    home: join(folder.path, "home"),
    flags: ["--worker"],
  });
  const client = createClient({ url: `${server.url}/api` });
  const id = await run(client, folder.path, "echo $PPID > worker.pid");
  await retryUntil(async () => {
    expect((await client.flowRuns.read(id)).state_type).toBe("COMPLETED");
  });
  const worker = Number(await readFile(join(folder.path, "worker.pid"), "utf8"));
  server.kill("SIGKILL");
  await server.exited;
  await retryUntil(() => expect(isProcessRunning(worker)).toBe(false));
});

test("nor does one that is still starting", async () => {
  await using folder = await temporaryFolder();
  const server = await startReadyServer({ home: join(folder.path, "home"), flags: ["--worker"] });
  server.kill("SIGKILL");
  // It writes where the server wrote, so this ends when both are gone.
  await server.exited;
});

import { createClient } from "@orchestrator/client";
import { expect, test } from "vitest";
import { launchCommand, startReadyServer } from "../support/server-process.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { retryUntil } from "../support/until.ts";
import { openCli } from "./support.ts";

test("watching outlives a server that dies and comes back", async () => {
  await using home = await temporaryFolder();
  const first = await startReadyServer({ home: home.path });
  const url = `${first.url}/api`;
  const client = createClient({ url });
  const { id: flow_id } = await client.flows.create({ name: "patient" });
  const run = await client.flowRuns.create({ flow_id, state: { type: "RUNNING" } });
  const env = { ORCHESTRATOR_API_URL: url, ORCHESTRATOR_HOME: home.path };
  await using watching = launchCommand(["flow-run", "watch", run.id], env);
  await retryUntil(() => expect(watching.stdout()).toContain("Running"));
  await first[Symbol.asyncDispose]();
  await retryUntil(() => expect(watching.stderr()).toContain("trying again"));
  const flags = ["--port", new URL(url).port];
  await using _second = await startReadyServer({ home: home.path, flags });
  await client.flowRuns.setState(run.id, { state: { type: "COMPLETED" } });
  expect((await watching.exited).code).toBe(0);
  expect(watching.stdout()).toContain(`${run.name} is Completed`);
});

test.each([
  ["watching", ["watch"]],
  ["following the lines of", ["logs", "--follow"]],
])("%s a run that is deleted ends and says so", async (_, [verb = "", ...flags]) => {
  await using cli = await openCli();
  const { client } = cli;
  const { id: flow_id } = await client.flows.create({ name: "gone" });
  const { id } = await client.flowRuns.create({ flow_id, state: { type: "RUNNING" } });
  const timestamp = new Date().toISOString();
  await client.logs.create([{ flow_run_id: id, name: "a", level: 20, message: "here", timestamp }]);
  await using looking = cli.start("flow-run", verb, id, ...flags);
  await retryUntil(() => expect(looking.stdout()).toContain("here"));
  await client.flowRuns.delete(id);
  expect(await looking.exited).toMatchObject({ code: 1 });
  expect(looking.stderr()).toContain("not found");
});

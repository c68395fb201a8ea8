// Runs that go on in another process or on another machine, behind what was finished before.

import type { FlowRun, StateType } from "@orchestrator/contract";
import { type Flow, flow, getRunContext, suspendFlowRun, task } from "@orchestrator/sdk";
import { expect, test } from "vitest";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { retryUntil } from "../support/until.ts";
import { type SdkServer, sdkServer } from "./support.ts";

const runId = (): string => getRunContext().flowRun?.id ?? "";

async function inState({ client }: SdkServer, id: string, type: StateType): Promise<FlowRun> {
  return retryUntil(async () => {
    const run = await client.flowRuns.read(id);
    expect(run.state_type, run.state?.message ?? "").toBe(type);
    return run;
  });
}

async function journalOf({ client }: SdkServer, id: string): Promise<string[]> {
  const text = await new Response(await client.flowRuns.readJournal(id)).text();
  const lines = text.split("\n").filter((line) => line !== "");
  return lines.map((line) => (JSON.parse(line) as { readonly key: string }).key);
}

async function serveOnce(server: SdkServer, served: Flow<[], unknown>) {
  const { deploymentId, stop } = await served.serve({ name: "d", stopOnSignals: false });
  return {
    stop: () => stop(),
    run: async () => (await server.client.deployments.createFlowRun(deploymentId)).id,
  };
}

test("a run goes on on another machine behind the tasks that have finished", async () => {
  await using server = await sdkServer();
  await using otherHome = await temporaryFolder();
  const made: string[] = [];
  const make = (what: string) => {
    made.push(what);
    return { what, at: new Date(3) };
  };
  const step = task({ name: "step" }, async (what: string) => make(what));
  const nested = task({ name: "nested" }, async () => step("nested"));
  const stored = task({ name: "stored", cacheKey: "c" }, async () => make("cached"));
  const forgotten = task({ name: "forgotten", keepResult: false }, async () => make("forgotten"));
  const child = flow({ name: "child" }, async () => step("in child"));
  const staged = flow({ name: "staged" }, async () => {
    const results = [await step("a"), await nested(), await stored(), await child()];
    results.push(...(await step.map(["x", "y", "z"]).results()));
    await forgotten();
    await suspendFlowRun();
    return [...results, await step("last")];
  });
  const first = await serveOnce(server, staged);
  const id = await first.run();
  await inState(server, id, "PAUSED");
  await first.stop();

  process.env["ORCHESTRATOR_HOME"] = otherHome.path;
  const second = await serveOnce(server, staged);
  await server.client.flowRuns.resume(id);
  await inState(server, id, "COMPLETED");
  await second.stop();
  const once = ["a", "nested", "cached", "in child", "x", "y", "z", "forgotten"];
  expect(made).toEqual([...once, "forgotten", "last"]);
  const tasks = await server.client.taskRuns.list({});
  expect(tasks.map(({ state_type }) => state_type)).toEqual(tasks.map(() => "COMPLETED"));
}, 120_000);

test("an executor whose run was offered to others is stopped by its next report", async () => {
  await using server = await sdkServer();
  const begun: string[] = [];
  let takes = 1;
  const step = task({ name: "step" }, async (what: string) => {
    begun.push(what);
    if (what !== "b" || takes-- <= 0) return;
    const offer = { state: { type: "SCHEDULED" as const }, force: true };
    await server.client.flowRuns.setState(runId(), offer);
  });
  const staged = flow({ name: "staged" }, async () => {
    for (const what of ["a", "b", "c"]) await step(what);
  });
  const served = await serveOnce(server, staged);
  const id = await served.run();
  await inState(server, id, "COMPLETED");
  await served.stop();
  // What its first executor finished after the offer does not count.
  expect(begun).toEqual(["a", "b", "b", "c"]);
  expect(await journalOf(server, id)).toEqual(["step/0", "step/1", "step/2"]);
}, 120_000);

test("a run goes on while the server is away, which has all results afterwards", async () => {
  await using server = await sdkServer();
  const step = task({ name: "step" }, async (n: number) => n);
  const staged = flow({ name: "staged" }, async () => {
    await step(0);
    await server.takeAway();
    await step(1);
    await step(2);
    await server.bringBack();
  });
  const served = await serveOnce(server, staged);
  const id = await served.run();
  await inState(server, id, "COMPLETED");
  expect(await journalOf(server, id)).toEqual(["step/0", "step/1", "step/2"]);
  await served.stop();
}, 120_000);

test("a flow that keeps no results has no journal", async () => {
  await using server = await sdkServer();
  const step = task({ name: "step" }, async () => 1);
  const served = await serveOnce(
    server,
    flow({ name: "plain", keepResults: false }, async () => void (await step())),
  );
  const id = await served.run();
  await inState(server, id, "COMPLETED");
  expect(await journalOf(server, id)).toEqual([]);
  await served.stop();
}, 120_000);

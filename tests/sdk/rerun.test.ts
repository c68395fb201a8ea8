// Runs that go on behind results of another run, on another machine.

import type { FlowRun, StateType } from "@orchestrator/contract";
import { flow, task } from "@orchestrator/sdk";
import { expect, test } from "vitest";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { retryUntil } from "../support/until.ts";
import { type SdkServer, sdkServer } from "./support.ts";

async function inState({ client }: SdkServer, id: string, type: StateType): Promise<FlowRun> {
  return retryUntil(async () => {
    const run = await client.flowRuns.read(id);
    expect(run.state_type, run.state?.message ?? "").toBe(type);
    return run;
  });
}

/** The task runs of a run with their states, by their names. */
async function tasksOf({ client }: SdkServer, id: string): Promise<Record<string, string>> {
  const tasks = await client.taskRuns.list({ task_runs: { flow_run_id: { any_: [id] } } });
  return Object.fromEntries(tasks.map((one) => [one.name, one.state_name ?? ""]));
}

test("a rerun on another machine repeats no task that has finished, nor one of a subflow", async () => {
  await using server = await sdkServer();
  await using otherHome = await temporaryFolder();
  const made: string[] = [];
  let isBroken = true;
  const step = task({ name: "step" }, async (what: string) => {
    if (what === "broken" && isBroken) throw new Error("no disk");
    made.push(what);
    return { what, at: new Date(3) };
  });
  const nested = task({ name: "nested" }, async (what: string) => step(what));
  const whole = flow({ name: "whole" }, async () => step("in whole"));
  const half = flow({ name: "half" }, async ({ day }: { day: string }) => {
    await step("in half");
    await whole();
    return step(day === "monday" ? "broken" : "mended");
  });
  const staged = flow({ name: "staged" }, async ({ day }: { day: string }) => {
    const results = [await step("a"), await nested("b"), await whole()];
    results.push(...(await step.map(["x", "y"]).results()));
    results.push(await half({ day }));
    return results.map(({ what, at }) => `${what} ${at.getTime()}`);
  });
  const parameters = { day: "monday" };
  const first = await staged.serve({ name: "d", stopOnSignals: false });
  const { client } = server;
  const { id } = await client.deployments.createFlowRun(first.deploymentId, { parameters });
  await inState(server, id, "FAILED");
  await first.stop();
  const once = ["a", "b", "in whole", "x", "y", "in half", "in whole"];
  expect(made).toEqual(once);
  const before = await client.flowRuns.read(id);

  process.env["ORCHESTRATOR_HOME"] = otherHome.path;
  const second = await staged.serve({ name: "d", stopOnSignals: false });
  isBroken = false;
  const rerun = await client.flowRuns.rerun(id);
  await inState(server, rerun.id, "COMPLETED");
  expect(made).toEqual([...once, "broken"]);
  await retryUntil(async () =>
    expect(await tasksOf(server, rerun.id)).toMatchObject({
      "step-0": "Cached",
      "nested-0": "Cached",
      "step-2": "Cached",
    }),
  );
  const { updated: _before, ...original } = before;
  expect(await client.flowRuns.read(id)).toMatchObject(original);

  // Other parameters are other arguments, of which nothing has finished.
  made.length = 0;
  const other = await client.flowRuns.rerun(id, { parameters: { day: "tuesday" } });
  await inState(server, other.id, "COMPLETED");
  expect(made).toEqual(["mended"]);

  made.length = 0;
  const again = await client.flowRuns.rerun(rerun.id, { from: "start" });
  await inState(server, again.id, "COMPLETED");
  expect(made).toEqual([...once, "broken"]);
  await second.stop();
}, 120_000);

test("a rerun from a task repeats it and what came after it", async () => {
  await using server = await sdkServer();
  const made: string[] = [];
  const step = task({ name: "step" }, async (what: string) => void made.push(what));
  const staged = flow({ name: "staged" }, async () => {
    for (const what of ["a", "b", "c"]) await step(what);
  });
  const { client } = server;
  const served = await staged.serve({ name: "d", stopOnSignals: false });
  const { id } = await client.deployments.createFlowRun(served.deploymentId);
  await inState(server, id, "COMPLETED");
  const fromSecond = async (run: string) => {
    made.length = 0;
    const second = await retryUntil(async () => {
      const tasks = await client.taskRuns.list({ task_runs: { flow_run_id: { any_: [run] } } });
      const found = tasks.find(({ name }) => name === "step-1");
      expect(found?.state_type).toBe("COMPLETED");
      return found?.id ?? "";
    });
    const rerun = await client.flowRuns.rerun(run, { from: second });
    await inState(server, rerun.id, "COMPLETED");
    return rerun.id;
  };
  await fromSecond(id);
  expect(made).toEqual(["b", "c"]);
  // Of a rerun that has executed no task itself.
  const idle = await client.flowRuns.rerun(id);
  await inState(server, idle.id, "COMPLETED");
  await fromSecond(idle.id);
  expect(made).toEqual(["b", "c"]);
  await served.stop();
}, 120_000);

import { EventEmitter, once } from "node:events";
import { flow, getRunContext, suspendFlowRun, task } from "@orchestrator/sdk";
import { expect, test } from "vitest";
import { z } from "zod";
import { retryUntil } from "../support/until.ts";
import { sdkServer } from "./support.ts";

test("a served flow is a deployment whose runs this process carries out", async () => {
  await using server = await sdkServer();
  const seen: string[] = [];
  const schema = z.object({ region: z.enum(["eu", "us"]).default("eu") });
  const report = flow(
    { name: "report", parameters: schema, runName: "for {region}", version: "3" },
    async ({ region }) => {
      seen.push(`${region} ${getRunContext().flowRun?.name}`);
    },
  );
  const served = await report.serve({
    name: "daily",
    cron: "0 9 * * *",
    timezone: "Europe/Paris",
    tags: ["served"],
    stopOnSignals: false,
  });
  const deployment = await server.client.deployments.readByName("report", "daily");
  expect(deployment).toMatchObject({
    id: served.deploymentId,
    schedules: [{ schedule: { cron: "0 9 * * *", timezone: "Europe/Paris" }, active: true }],
    parameter_openapi_schema: { properties: { region: { enum: ["eu", "us"], default: "eu" } } },
    enforce_parameter_schema: true,
    paused: false,
    tags: ["served"],
  });
  const { id } = await server.client.deployments.createFlowRun(deployment.id, {
    parameters: { region: "us" },
  });
  await retryUntil(async () => {
    expect(await server.client.flowRuns.read(id)).toMatchObject({
      state_type: "COMPLETED",
      name: "for us",
      flow_version: "3",
    });
  });
  expect(seen).toEqual(["us for us"]);
  await served.stop();
  await served.finished;
  expect((await server.client.deployments.read(deployment.id)).paused).toBe(true);
});

test("serving it again changes the deployment, and a suspended run goes on behind what it has done", async () => {
  await using server = await sdkServer();
  const done: string[] = [];
  const step = task(async function step(name: string) {
    done.push(name);
  });
  const staged = flow({ name: "staged" }, async () => {
    await step("before");
    await suspendFlowRun();
    await step("after");
  });
  const first = await staged.serve({ name: "s", stopOnSignals: false });
  await first.stop();
  const second = await staged.serve({ name: "s", intervalSeconds: 3600, stopOnSignals: false });
  expect(second.deploymentId).toBe(first.deploymentId);
  expect(await server.client.deployments.read(second.deploymentId)).toMatchObject({
    paused: false,
  });
  const { id } = await server.client.deployments.createFlowRun(second.deploymentId);
  await retryUntil(async () =>
    expect((await server.client.flowRuns.read(id)).state_name).toBe("Suspended"),
  );
  await server.client.flowRuns.resume(id);
  await retryUntil(async () =>
    expect((await server.client.flowRuns.read(id)).state_type).toBe("COMPLETED"),
  );
  expect(done).toEqual(["before", "after"]);
  await second.stop();
});

test("a run that is suspended is left at once, whatever it has submitted", async () => {
  await using server = await sdkServer();
  const release = new EventEmitter();
  let executions = 0;
  const load = task({ name: "load", keepResult: false }, () => once(release, "now"));
  const staged = flow({ name: "staged" }, async () => {
    executions += 1;
    load.submit();
    await suspendFlowRun();
    release.emit("now");
  });
  const served = await staged.serve({ name: "s", stopOnSignals: false });
  const { id } = await server.client.deployments.createFlowRun(served.deploymentId);
  await retryUntil(async () =>
    expect((await server.client.flowRuns.read(id)).state_name).toBe("Suspended"),
  );
  await server.client.flowRuns.resume(id);
  await retryUntil(async () =>
    expect((await server.client.flowRuns.read(id)).state_type).toBe("COMPLETED"),
  );
  expect(executions).toBe(2);
  await served.stop();
});

test.each([
  ["cannot be made", (): string => JSON.parse("no name") as string, /^SyntaxError/],
  ["is no text", () => ({}) as string, /^TypeError: The name that runName makes is no text/],
])("a run whose name %s fails and says why", async (_what, runName, message) => {
  await using server = await sdkServer();
  const nameless = flow({ name: "nameless", runName }, async () => {});
  const served = await nameless.serve({ name: "n", stopOnSignals: false });
  const { id } = await server.client.deployments.createFlowRun(served.deploymentId);
  await retryUntil(async () => {
    expect(await server.client.flowRuns.read(id)).toMatchObject({
      state: { type: "FAILED", message: expect.stringMatching(message) },
    });
  });
  await served.stop();
});

test("a process may carry out more runs at once than the server gives at a time", async () => {
  await using server = await sdkServer();
  const quick = flow({ name: "quick" }, async () => {});
  const served = await quick.serve({ name: "q", limit: 500, stopOnSignals: false });
  const { id } = await server.client.deployments.createFlowRun(served.deploymentId);
  await retryUntil(async () =>
    expect((await server.client.flowRuns.read(id)).state_type).toBe("COMPLETED"),
  );
  await served.stop();
});

test("a process that is stopped ends runs that do not end by themselves as crashed", async () => {
  await using server = await sdkServer();
  const endless = flow({ name: "endless", onCrash: "fail" }, async () => {
    const { signal } = getRunContext();
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
  });
  const served = await endless.serve({ name: "e", stopOnSignals: false });
  const { id } = await server.client.deployments.createFlowRun(served.deploymentId);
  await retryUntil(async () =>
    expect((await server.client.flowRuns.read(id)).state_type).toBe("RUNNING"),
  );
  await served.stop(0);
  expect((await server.client.flowRuns.read(id)).state_type).toBe("CRASHED");
});

test("a flow is deployed for the workers of a pool, with several schedules", async () => {
  await using server = await sdkServer();
  await server.client.workPools.create({ name: "local", type: "process" });
  const nightly = flow({ name: "nightly", description: "Cleans up" }, async () => {});
  const deploy = () =>
    nightly.deploy({
      name: "d",
      workPool: "local",
      entrypoint: "flows/nightly.mjs:nightly",
      path: "/srv/flows",
      jobVariables: { env: { REGION: "eu" } },
      concurrencyLimit: 1,
      schedules: [
        { cron: "0 2 * * *", slug: "night" },
        { rrule: "FREQ=WEEKLY;BYDAY=SU", slug: "sunday", overlap: "skip" },
      ],
    });
  const { id } = await deploy();
  expect(await deploy()).toEqual({ id });
  expect(await server.client.deployments.read(id)).toMatchObject({
    work_pool_name: "local",
    entrypoint: "flows/nightly.mjs:nightly",
    path: "/srv/flows",
    description: "Cleans up",
    job_variables: { env: { REGION: "eu" } },
    global_concurrency_limit: { limit: 1 },
  });
  const schedules = await server.client.deployments.listSchedules(id);
  expect(schedules.map(({ slug, overlap }) => `${slug} ${overlap}`).toSorted()).toEqual([
    "night allow",
    "sunday skip",
  ]);
  await expect(
    nightly.deploy({
      name: "x",
      workPool: "local",
      entrypoint: "a",
      cron: "* * * * *",
      rrule: "FREQ=DAILY",
    }),
  ).rejects.toThrow("exactly one");
});

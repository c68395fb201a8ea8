// A flow run in a process of its own, as a worker starts it.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { retryUntil } from "../support/until.ts";
import { type SdkServer, sdkServer } from "./support.ts";

const SDK = new URL("../../packages/sdk/dist/bundle/index.js", import.meta.url);
const EXECUTE = new URL("../../packages/sdk/dist/bundle/execute.js", import.meta.url);

/** Writes down each step it makes; waits at one of them for as long as a file says so. */
const STEPS = `
import { existsSync, appendFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { flow, task } from ${JSON.stringify(SDK.href)};
const step = task(async function step(name) {
  appendFileSync("made.txt", name + "\\n");
  return name;
});
const again = existsSync("again") ? { retries: 1, retryDelaySeconds: () => 7 } : {};
export const steps = flow({ name: "steps", version: "3", ...again }, async ({ greeting }) => {
  await step("one " + greeting);
  while (existsSync("wait")) await setTimeout(10);
  if (existsSync("fail")) throw new Error("in the end");
  await step("two");
});
`;

async function aDeployment(server: SdkServer, folder: string): Promise<string> {
  if (!existsSync(EXECUTE)) {
    throw new Error(
      "packages/sdk/dist/bundle/execute.js is missing: build packages/sdk before this test",
    );
  }
  await mkdir(join(folder, "flows"));
  await writeFile(join(folder, "flows", "steps.mjs"), STEPS);
  const { flows, workPools, deployments } = server.client;
  await workPools.create({ name: "local", type: "process" });
  const { id: flow_id } = await flows.create({ name: "steps" });
  const { id } = await deployments.create({
    name: "d",
    flow_id,
    work_pool_name: "local",
    entrypoint: "flows/steps.mjs:steps",
    parameters: { greeting: "hello" },
  });
  return id;
}

interface Started {
  readonly child: ChildProcess;
  readonly exited: Promise<unknown[]>;
}

function start(server: SdkServer, folder: string, flowRunId: string, claimId = ""): Started {
  const child = spawn(process.execPath, [fileURLToPath(EXECUTE)], {
    cwd: folder,
    env: {
      PATH: process.env["PATH"],
      ORCHESTRATOR_API_URL: `${server.url}/api`,
      ORCHESTRATOR_HOME: server.home,
      ORCHESTRATOR_FLOW_RUN_ID: flowRunId,
      ORCHESTRATOR_CLAIM_ID: claimId,
      ORCHESTRATOR_SDK_DELIVERY_SECONDS: "2",
    },
    stdio: ["ignore", "ignore", "inherit"],
  });
  return { child, exited: once(child, "close") };
}

async function aClaimedRun(server: SdkServer, deploymentId: string): Promise<string> {
  const { id } = await server.client.deployments.createFlowRun(deploymentId);
  await claim(server, id);
  return id;
}

async function claim({ client }: SdkServer, id: string): Promise<string> {
  const { state } = await client.flowRuns.setState(id, { state: { type: "PENDING" } });
  return state?.state_details.claim_id ?? "";
}

/** The run is offered again, as after a claimant that was silent for too long. */
async function claimAnew(server: SdkServer, id: string): Promise<string> {
  await server.client.flowRuns.setState(id, { state: { type: "SCHEDULED" }, force: true });
  return claim(server, id);
}

const made = (folder: string): Promise<string> => readFile(join(folder, "made.txt"), "utf8");

test("a run whose process was killed goes on in the next one behind the last finished task", async () => {
  await using server = await sdkServer();
  await using folder = await temporaryFolder();
  const deploymentId = await aDeployment(server, folder.path);
  const id = await aClaimedRun(server, deploymentId);
  await writeFile(join(folder.path, "wait"), "");
  const first = start(server, folder.path, id);
  await retryUntil(async () => {
    expect(
      await server.client.taskRuns.count({
        task_runs: { state: { type: { any_: ["COMPLETED"] } } },
      }),
    ).toBe(1);
  });
  first.child.kill("SIGKILL");
  await first.exited;
  await claimAnew(server, id);
  await rm(join(folder.path, "wait"));
  const second = start(server, folder.path, id);
  expect(await second.exited).toEqual([0, null]);
  expect(await server.client.flowRuns.read(id)).toMatchObject({
    state_type: "COMPLETED",
    run_count: 2,
  });
  expect(await made(folder.path)).toBe("one hello\ntwo\n");
});

test("a process that starts when its run has been claimed by another leaves it alone", async () => {
  await using server = await sdkServer();
  await using folder = await temporaryFolder();
  const deploymentId = await aDeployment(server, folder.path);
  const { id } = await server.client.deployments.createFlowRun(deploymentId);
  const first = await claim(server, id);
  const second = await claimAnew(server, id);
  expect(await start(server, folder.path, id, first).exited).toEqual([0, null]);
  expect(existsSync(join(folder.path, "made.txt"))).toBe(false);
  expect(await server.client.flowRuns.read(id)).toMatchObject({
    state_type: "PENDING",
    state: { state_details: { claim_id: second } },
    flow_version: null,
  });
  expect(await start(server, folder.path, id, second).exited).toEqual([0, null]);
  expect(await server.client.flowRuns.read(id)).toMatchObject({
    state_type: "COMPLETED",
    flow_version: "3",
  });
});

test("a process that is told to go ends its run as crashed", async () => {
  await using server = await sdkServer();
  await using folder = await temporaryFolder();
  const deploymentId = await aDeployment(server, folder.path);
  const id = await aClaimedRun(server, deploymentId);
  await writeFile(join(folder.path, "wait"), "");
  const { child, exited } = start(server, folder.path, id);
  await retryUntil(async () => expect(await made(folder.path)).toBe("one hello\n"));
  child.kill("SIGTERM");
  await exited;
  expect(await server.client.flowRuns.read(id)).toMatchObject({ state_type: "CRASHED" });
});

test("what a process could not tell a server that was away, the next process tells it", async () => {
  await using server = await sdkServer();
  await using folder = await temporaryFolder();
  const deploymentId = await aDeployment(server, folder.path);
  const id = await aClaimedRun(server, deploymentId);
  const other = await aClaimedRun(server, deploymentId);
  await writeFile(join(folder.path, "wait"), "");
  const first = start(server, folder.path, id);
  await retryUntil(async () => expect(await made(folder.path)).toBe("one hello\n"));
  await server.takeAway();
  await rm(join(folder.path, "wait"));
  expect(await first.exited).toEqual([0, null]);
  await server.bringBack();
  expect((await server.client.flowRuns.read(id)).state_type).toBe("RUNNING");
  await start(server, folder.path, other).exited;
  await retryUntil(async () => {
    expect(await server.client.flowRuns.read(id)).toMatchObject({ state_type: "COMPLETED" });
    const runs = await server.client.taskRuns.list({
      task_runs: { flow_run_id: { any_: [id] } },
      sort: "NAME_ASC",
    });
    expect(runs.map(({ name, state_type }) => `${name} ${state_type}`)).toEqual([
      "step-0 COMPLETED",
      "step-1 COMPLETED",
    ]);
  });
});

test("what a process told late does not end a run that another has claimed since", async () => {
  await using server = await sdkServer();
  await using folder = await temporaryFolder();
  const deploymentId = await aDeployment(server, folder.path);
  const id = await aClaimedRun(server, deploymentId);
  await writeFile(join(folder.path, "wait"), "");
  await writeFile(join(folder.path, "fail"), "");
  const first = start(server, folder.path, id);
  await retryUntil(async () => expect(await made(folder.path)).toBe("one hello\n"));
  await server.takeAway();
  await rm(join(folder.path, "wait"));
  await first.exited;
  const [place = ""] = await readdir(join(server.home, "undelivered"));
  const left = async (): Promise<string[]> =>
    (await readdir(join(server.home, "undelivered", place))).filter((name) =>
      name.endsWith(".states"),
    );
  expect(await left()).toHaveLength(1);
  await server.bringBack();
  await claimAnew(server, id);
  await writeFile(join(folder.path, "wait"), "");
  const next = start(server, folder.path, await aClaimedRun(server, deploymentId));
  await retryUntil(async () => expect(await left()).toEqual([]));
  await rm(join(folder.path, "wait"));
  await next.exited;
  expect(await server.client.flowRuns.read(id)).toMatchObject({ state_type: "PENDING" });
});

test("a process whose claim has gone to another does not say when the run is tried again", async () => {
  await using server = await sdkServer();
  await using folder = await temporaryFolder();
  const id = await aClaimedRun(server, await aDeployment(server, folder.path));
  for (const name of ["wait", "fail", "again"]) await writeFile(join(folder.path, name), "");
  const first = start(server, folder.path, id);
  await retryUntil(async () => expect(await made(folder.path)).toBe("one hello\n"));
  const before = await server.client.flowRuns.read(id);
  await claimAnew(server, id);
  await rm(join(folder.path, "wait"));
  await first.exited;
  const { empirical_policy, state_type } = await server.client.flowRuns.read(id);
  expect(state_type).toBe("PENDING");
  expect(empirical_policy.retry_delay).toBe(before.empirical_policy.retry_delay);
});

test("a flow that cannot be loaded fails its run and says why", async () => {
  await using server = await sdkServer();
  await using folder = await temporaryFolder();
  const deploymentId = await aDeployment(server, folder.path);
  await server.client.deployments.update(deploymentId, { entrypoint: "flows/steps.mjs:other" });
  const id = await aClaimedRun(server, deploymentId);
  expect(await start(server, folder.path, id).exited).toEqual([1, null]);
  const { state } = await server.client.flowRuns.read(id);
  expect(state).toMatchObject({ type: "FAILED" });
  expect(state?.message).toContain("exports no flow other; its flows: steps");
});

test("a program that is interrupted ends the run that it has called as crashed, and itself as usual", async () => {
  await using server = await sdkServer();
  await using folder = await temporaryFolder();
  const program = join(folder.path, "program.mjs");
  await writeFile(
    program,
    `import { flow, getRunContext } from ${JSON.stringify(SDK.href)};
     await flow({ name: "called" }, async () => {
       const { signal } = getRunContext();
       await new Promise((resolve) => {
         const timer = setInterval(() => {}, 1000);
         signal.addEventListener("abort", () => resolve(clearInterval(timer)));
       });
     })();`,
  );
  const child = spawn(process.execPath, [program], {
    env: {
      PATH: process.env["PATH"],
      ORCHESTRATOR_API_URL: `${server.url}/api`,
      ORCHESTRATOR_HOME: server.home,
    },
    stdio: "ignore",
  });
  const exited = once(child, "close");
  await retryUntil(async () => {
    expect(await server.client.flowRuns.list({})).toMatchObject([{ state_type: "RUNNING" }]);
  });
  child.kill("SIGINT");
  expect(await exited).toEqual([null, "SIGINT"]);
  expect(await server.client.flowRuns.list({})).toMatchObject([{ state_type: "CRASHED" }]);
});

// Pools that were made with the template of their type, served by our own workers. Engine and
// cluster are servers that speak their calls.

import { join } from "node:path";
import { createClient } from "@orchestrator/client";
import type { JsonObject } from "@orchestrator/contract";
import { type TestEngine, testEngine } from "@orchestrator/sdk/worker-testing";
import { expect, test } from "vitest";
import { launchCommand, runCommand, startReadyServer } from "../support/server-process.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { retryUntil } from "../support/until.ts";

const POOL = "pool";
const TERMINATED = { containerStatuses: [{ state: { terminated: { exitCode: 0 } } }] };

const cluster = (): Promise<TestEngine> =>
  testEngine([
    [/^POST .*\/jobs$/, () => [201, { metadata: { name: "j-1" } }]],
    [/^GET .*\/pods\?/, () => [200, { items: [{ metadata: { name: "p" }, status: TERMINATED }] }]],
    [/^GET .*\/log\?/, () => [200, ""]],
  ]);

const docker = (): Promise<TestEngine> =>
  testEngine([
    [/^GET .*\/images\//, () => [200, {}]],
    [/^POST .*\/containers\/create/, () => [201, { Id: "c1" }]],
    [/^POST .*\/start$/, () => [204, null]],
    [/^GET .*\/logs/, () => [200, null]],
    [/^POST .*\/wait$/, () => [200, { StatusCode: 0 }]],
    [/^DELETE /, () => [204, null]],
  ]);

interface Setting {
  readonly type: "docker" | "kubernetes";
  readonly engine: TestEngine;
  /** Who makes the pool, and so whose template it has. */
  readonly madeBy: "work-pool create" | "the worker";
}

async function stage({ type, engine, madeBy }: Setting) {
  const home = await temporaryFolder();
  const server = await startReadyServer({ home: join(home.path, "server") });
  const client = createClient({ url: `${server.url}/api` });
  const env = {
    ORCHESTRATOR_API_URL: `${server.url}/api`,
    ORCHESTRATOR_HOME: join(home.path, "worker"),
    DOCKER_HOST: engine.url.replace("http:", "tcp:"),
    ORCHESTRATOR_KUBERNETES_URL: engine.url,
    ORCHESTRATOR_KUBERNETES_NAMESPACE: "of-the-worker",
  };
  if (madeBy === "work-pool create")
    expect(await runCommand(["work-pool", "create", POOL, "--type", type], env)).toMatchObject({
      code: 0,
    });
  const worker = launchCommand(["worker", "start", "--pool", POOL, "--type", type], env);
  await retryUntil(() => expect(worker.stderr()).toContain("asks for runs"));
  const { id: flow_id } = await client.flows.create({ name: "work" });
  let deployments = 0;
  const deploy = async (job_variables: JsonObject): Promise<string> => {
    deployments += 1;
    const variables = { command: "true", image: "busybox", ...job_variables };
    const name = `d${deployments}`;
    const fields = { name, flow_id, work_pool_name: POOL, job_variables: variables };
    return (await client.deployments.create(fields)).id;
  };
  return {
    client,
    deploy,
    /**
     * Carries a run with these variables out, and answers with what the engine was asked for it.
     */
    async jobOf(job_variables: JsonObject) {
      const before = engine.asked.length;
      const { id } = await client.deployments.createFlowRun(await deploy(job_variables), {});
      await retryUntil(async () => {
        const { state_type, state } = await client.flowRuns.read(id);
        expect(state_type, state?.message ?? "").toBe("COMPLETED");
      });
      const asked = engine.asked
        .slice(before)
        .find(({ call }) => /^POST .*\/(jobs|containers\/create.*)$/.test(call));
      return { call: asked?.call, body: asked?.body };
    },
    async [Symbol.asyncDispose]() {
      await worker[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
      await home[Symbol.asyncDispose]();
    },
  };
}

const containerWith = (fields: object) => ({
  spec: { template: { spec: { containers: [expect.objectContaining(fields)] } } },
});

test("a cluster is told the resources and the folder that a job asks for, though the template has no place for them", async () => {
  await using engine = await cluster();
  await using on = await stage({ type: "kubernetes", engine, madeBy: "work-pool create" });
  await on.client.variables.create({ name: "root", value: "/srv" });
  const resources = { limits: { memory: "1Gi" } };
  const working_dir = "{{ prefect.variables.root }}/x";
  const { body } = await on.jobOf({ resources, working_dir });
  expect(body).toMatchObject(containerWith({ resources, workingDir: "/srv/x" }));
  const { body: other } = await on.jobOf({ cpu_limit: "500m", resources });
  const limits = { memory: "1Gi", cpu: "500m" };
  expect(other).toMatchObject(containerWith({ resources: { limits } }));
});

test("jobs are made in the worker's namespace, unless a deployment or the pool names one", async () => {
  await using engine = await cluster();
  await using on = await stage({ type: "kubernetes", engine, madeBy: "work-pool create" });
  const namespaceOf = async (variables: JsonObject) => {
    const { call, body } = await on.jobOf(variables);
    const { namespace } = (body as { metadata: { namespace: string } }).metadata;
    expect(call).toContain(`/namespaces/${namespace}/`);
    return namespace;
  };
  expect(await namespaceOf({})).toBe("of-the-worker");
  expect(await namespaceOf({ namespace: "default" })).toBe("default");
  const { base_job_template: template } = await on.client.workPools.read(POOL);
  const changed = JSON.stringify(template).replace(
    '"default":"default"',
    '"default":"of-the-pool"',
  );
  await on.client.workPools.update(POOL, { base_job_template: JSON.parse(changed) as JsonObject });
  expect(await namespaceOf({})).toBe("of-the-pool");
});

test("a container is made in the folder that a variable of the server names", async () => {
  await using engine = await docker();
  await using on = await stage({ type: "docker", engine, madeBy: "work-pool create" });
  await on.client.variables.create({ name: "root", value: "/srv" });
  const { body } = await on.jobOf({ working_dir: "{{ prefect.variables.root }}/x" });
  expect(body).toMatchObject({ WorkingDir: "/srv/x" });
});

test("the template of the type takes memory as a text and keeps containers, the worker's own takes bytes too and removes them", async () => {
  for (const madeBy of ["work-pool create", "the worker"] as const) {
    await using engine = await docker();
    await using on = await stage({ type: "docker", engine, madeBy });
    const isOwn = madeBy === "the worker";
    const inBytes = on.deploy({ mem_limit: 1_073_741_824 });
    if (isOwn) await inBytes;
    else await expect(inBytes).rejects.toThrow("must be string or null");
    const rest = { image_pull_policy: "IfPossible", privileged: true, networks: ["front"] };
    const { body } = await on.jobOf({ mem_limit: "1g", memswap_limit: "-1", ...rest });
    const HostConfig = { Memory: 1024 ** 3, MemorySwap: -1, Privileged: true };
    expect(body).toMatchObject({ HostConfig: { ...HostConfig, NetworkMode: "front" } });
    const isRemoved = engine.asked.some(({ call }) => call.startsWith("DELETE"));
    expect(isRemoved).toBe(isOwn);
  }
});

// Jobs as containers of a real engine, where one answers; elsewhere nothing is tested, and that is
// said.
import { execFileSync, spawnSync } from "node:child_process";
import { once } from "node:events";
import { request } from "node:http";
import { createClient } from "@orchestrator/client";
import type { FlowRun, StateType } from "@orchestrator/contract";
import { beforeAll, describe, expect, test } from "vitest";
import { launchCommand, startReadyServer } from "../support/server-process.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { retryUntil } from "../support/until.ts";

const HOST = process.env["DOCKER_HOST"] ?? "unix:///var/run/docker.sock";
const IMAGE = "orchestrator-worker-test:sh";
const PROGRAMS = ["/bin/sh", "/bin/sleep"];

async function ask(method: string, path: string, body?: Buffer): Promise<number> {
  const where = HOST.startsWith("unix://")
    ? { socketPath: HOST.slice("unix://".length) }
    : { host: new URL(HOST).hostname, port: new URL(HOST).port };
  const asked = request({ ...where, method, path, timeout: 10_000 });
  asked.end(body);
  const [answer] = await once(asked, "response");
  answer.resume();
  await once(answer, "end");
  return answer.statusCode;
}

const isThere = await ask("GET", "/_ping").then(
  (status) => status === 200,
  () => false,
);
if (!isThere) {
  process.stderr.write(
    `\n  NOT TESTED: workers of type docker with a real engine: none answers at ${HOST} (DOCKER_HOST names another)\n\n`,
  );
}

/** A shell of this machine and what it needs to run: no registry is asked. */
async function makeImage(): Promise<void> {
  const libraries = PROGRAMS.flatMap((program) => {
    const { stdout } = spawnSync("ldd", [program], { encoding: "utf8" });
    return stdout.match(/\/\S+\.so\S*/g) ?? [];
  });
  const files = [...new Set([...PROGRAMS, ...libraries])].map((path) => path.slice(1));
  const layer = execFileSync("tar", ["-chf", "-", "-C", "/", ...files], { maxBuffer: 1e8 });
  const [repo, tag] = IMAGE.split(":");
  const path = `/v1.41/images/create?fromSrc=-&repo=${repo}&tag=${tag}`;
  expect(await ask("POST", path, layer)).toBe(200);
}

async function stage() {
  const home = await temporaryFolder();
  const server = await startReadyServer({ home: `${home.path}/server` });
  const client = createClient({ url: `${server.url}/api` });
  const env = {
    ORCHESTRATOR_API_URL: `${server.url}/api`,
    ORCHESTRATOR_HOME: `${home.path}/worker`,
    DOCKER_HOST: HOST,
  };
  const begin = () =>
    launchCommand(["worker", "start", "--pool", "containers", "--type", "docker"], env);
  let worker = begin();
  let deployments = 0;
  await retryUntil(() => expect(worker.stderr()).toContain("asks for runs"));
  return {
    client,
    async restartWorker() {
      worker.kill("SIGKILL");
      await worker.exited;
      worker = begin();
    },
    async run(command: string, variables = {}): Promise<string> {
      const { id: flow_id } = await client.flows.create({ name: "work" });
      const job_variables = { image: IMAGE, network_mode: "none", command, ...variables };
      deployments += 1;
      const fields = {
        name: `d${deployments}`,
        flow_id,
        work_pool_name: "containers",
        job_variables,
      };
      const { id } = await client.deployments.create(fields);
      return (await client.deployments.createFlowRun(id)).id;
    },
    inState: (id: string, type: StateType): Promise<FlowRun> =>
      retryUntil(async () => {
        const run = await client.flowRuns.read(id);
        expect(run).toMatchObject({ state_type: type });
        return run;
      }),
    async [Symbol.asyncDispose]() {
      await worker[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
      await home[Symbol.asyncDispose]();
    },
  };
}

describe.skipIf(!isThere)("a container", () => {
  beforeAll(makeImage);

  test("is run for a command, ends as the command does, and leaves its lines and no container", async () => {
    await using on = await stage();
    const good = await on.run("echo hello $GREETING; echo oops >&2", { env: { GREETING: "you" } });
    const { infrastructure_pid } = await on.inState(good, "COMPLETED");
    await retryUntil(async () => {
      const lines = await on.client.logs.list({ logs: { flow_run_id: { any_: [good] } } });
      expect(lines.map(({ message }) => message).toSorted()).toEqual(["hello you", "oops"]);
    });
    const id = infrastructure_pid?.replace("docker:", "") ?? "";
    await retryUntil(async () =>
      expect(await ask("GET", `/v1.41/containers/${id}/json`)).toBe(404),
    );
    const bad = await on.run("echo last words >&2; exit 3");
    const { state } = await on.inState(bad, "FAILED");
    expect(state?.message).toMatch(/exited with code 3[^]*last words/);
    const gone = await on.run("true", { image: "orchestrator-none:1", image_pull_policy: "Never" });
    expect((await on.inState(gone, "CRASHED")).state?.message).toContain("orchestrator-none");
  });

  test("is told to end when its run is cancelled, and killed when it does not listen", async () => {
    await using on = await stage();
    const listens = await on.run("trap 'echo bye; exit 0' TERM; sleep 300 & wait");
    const deaf = await on.run("trap '' TERM; while :; do sleep 1; done", { grace_seconds: 1 });
    for (const id of [listens, deaf]) {
      await on.inState(id, "RUNNING");
      await on.client.flowRuns.setState(id, { state: { type: "CANCELLING" } });
    }
    for (const id of [listens, deaf]) await on.inState(id, "CANCELLED");
  });

  test("of a worker that was killed is taken down by the next one", async () => {
    await using on = await stage();
    const id = await on.run("sleep 300");
    await on.inState(id, "RUNNING");
    const { infrastructure_pid } = await retryUntil(async () => {
      const run = await on.client.flowRuns.read(id);
      expect(run.infrastructure_pid).toMatch(/^docker:/);
      return run;
    });
    await on.restartWorker();
    await on.inState(id, "CRASHED");
    const container = infrastructure_pid?.replace("docker:", "") ?? "";
    const path = `/v1.41/containers/${container}/json`;
    await retryUntil(async () => expect(await ask("GET", path)).toBe(404));
  });
});

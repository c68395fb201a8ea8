// A real server and real workers, each in a process of its own.

import { readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createClient, type OrchestratorClient } from "@orchestrator/client";
import type { FlowRun, StateType } from "@orchestrator/contract";
import { expect } from "vitest";
import {
  type CommandProcess,
  launchCommand,
  type ServerProcess,
  startReadyServer,
} from "../support/server-process.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { retryUntil } from "../support/until.ts";

const SDK = new URL("../../packages/sdk/dist/bundle/index.js", import.meta.url);

export interface Stage extends AsyncDisposable {
  readonly client: OrchestratorClient;
  /** Where jobs find their files and leave others. */
  readonly folder: string;
  readonly file: (name: string) => string;
  /** Starts a worker of the pool `local`; resolves when it asks for runs. */
  readonly worker: (...flags: readonly string[]) => Promise<CommandProcess>;
  /** Makes a deployment of a command line and answers with its id. */
  readonly command: (
    line: string,
    variables?: Readonly<Record<string, unknown>>,
  ) => Promise<string>;
  /** Makes a deployment of a flow whose body is given, and answers with its id. */
  readonly flow: (body: string) => Promise<string>;
  readonly run: (deploymentId: string, options?: RunOptions) => Promise<string>;
  readonly inState: (runId: string, type: StateType) => Promise<FlowRun>;
  readonly logsOf: (runId: string) => Promise<string[]>;
  readonly killServer: () => Promise<void>;
  readonly startServer: () => Promise<void>;
}

interface RunOptions {
  readonly parameters?: Readonly<Record<string, never>>;
  readonly retries?: number;
  /** In seconds. @default 0 */
  readonly retryDelay?: number;
}

const POOL = "local";

export async function stage(): Promise<Stage> {
  const home = await temporaryFolder();
  const jobs = await temporaryFolder();
  const workers: CommandProcess[] = [];
  let server: ServerProcess = await startReadyServer({ home: join(home.path, "server") });
  const { port } = new URL(server.url);
  const url = `${server.url}/api`;
  const client = createClient({ url });
  let deployments = 0;
  const file = (name: string): string => join(jobs.path, name);
  await client.workPools.create({ name: POOL, type: "process" });

  const deploy = async (fields: object): Promise<string> => {
    deployments += 1;
    const { id: flow_id } = await client.flows.create({ name: "work" });
    const deployment = { name: `d${deployments}`, flow_id, work_pool_name: POOL, ...fields };
    return (await client.deployments.create(deployment)).id;
  };
  return {
    client,
    folder: jobs.path,
    file,
    async worker(...flags) {
      const worker = launchCommand(["worker", "start", "--pool", POOL, ...flags], {
        ORCHESTRATOR_API_URL: url,
        ORCHESTRATOR_HOME: join(home.path, "worker"),
      });
      workers.push(worker);
      await retryUntil(() => expect(worker.stderr()).toContain("asks for runs"));
      return worker;
    },
    command: (line, variables = {}) =>
      deploy({ job_variables: { command: line, working_dir: jobs.path, ...variables } }),
    async flow(body) {
      const source = `import { flow, getLogger, task } from ${JSON.stringify(SDK.href)};\n${body}`;
      await mkdir(file("flows"), { recursive: true });
      await writeFile(file(`flows/flow${deployments}.mjs`), source);
      return deploy({ entrypoint: `flows/flow${deployments}.mjs:work`, path: jobs.path });
    },
    async run(deploymentId, { parameters = {}, retries, retryDelay = 0 } = {}) {
      const policy =
        retries === undefined ? {} : { empirical_policy: { retries, retry_delay: retryDelay } };
      const run = { parameters, ...policy };
      return (await client.deployments.createFlowRun(deploymentId, run)).id;
    },
    async inState(runId, type) {
      return retryUntil(async () => {
        const run = await client.flowRuns.read(runId);
        expect(run.state_type, run.state?.message ?? "no message").toBe(type);
        return run;
      });
    },
    async logsOf(runId) {
      const logs = await client.logs.list({
        logs: { flow_run_id: { any_: [runId] } },
        sort: "TIMESTAMP_ASC",
      });
      return logs.map(({ message }) => message);
    },
    async killServer() {
      server.kill("SIGKILL");
      await server.exited;
    },
    async startServer() {
      server = await startReadyServer({ home: join(home.path, "server"), flags: ["--port", port] });
    },
    async [Symbol.asyncDispose]() {
      for (const worker of workers) await worker[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
      await jobs[Symbol.asyncDispose]();
      await home[Symbol.asyncDispose]();
    },
  };
}

/**
 * Whether a process of the number still runs. One that has ended and was never asked about does
 * not.
 */
export function isProcessRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform !== "linux" || !/\) Z/.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

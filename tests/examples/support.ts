// A server with a worker, as `npm start` brings them up, and the examples as people run them.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import {
  createClient,
  createUptimeClient,
  type OrchestratorClient,
  type UptimeClient,
} from "@orchestrator/client";
import {
  type FinishedCommand,
  runCommand,
  type ServerEnv,
  startReadyServer,
} from "../support/server-process.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { retryUntil } from "../support/until.ts";

const PASSWORD = "examples";

/** The file of an example. */
export const example = (path: string): string =>
  fileURLToPath(new URL(`../../examples/${path}`, import.meta.url));

export interface RunningExample extends AsyncDisposable {
  readonly stdout: () => string;
  /** Everything it printed, for when something goes wrong. */
  readonly printed: () => string;
  /** Resolves with its exit code. */
  readonly ended: Promise<number | null>;
}

export interface ExampleWorld extends AsyncDisposable {
  readonly client: OrchestratorClient;
  readonly uptime: UptimeClient;
  /** A folder of its own. */
  readonly folder: string;
  /** Starts a file of an example with node. */
  readonly start: (file: string, env?: ServerEnv) => RunningExample;
  /** Runs `orchestrator …`. */
  readonly command: (...args: readonly string[]) => Promise<FinishedCommand>;
}

export async function openExamples(
  ...flags: readonly ("--worker" | "--no-worker")[]
): Promise<ExampleWorld> {
  const data = await temporaryFolder();
  const own = await temporaryFolder();
  const serverEnv = { UPTIME_PASSWORD: PASSWORD, UPTIME_MIN_INTERVAL: "1", TMPDIR: own.path };
  const server = await startReadyServer({ home: data.path, flags, env: serverEnv });
  const env = {
    ORCHESTRATOR_API_URL: `${server.url}/api`,
    ORCHESTRATOR_HOME: own.path,
    UPTIME_API_URL: `${server.url}/uptime/api`,
    UPTIME_PASSWORD: PASSWORD,
  };
  const client = createClient({ url: env.ORCHESTRATOR_API_URL });
  // The worker makes its pool when it comes up.
  if (flags.includes("--worker")) await retryUntil(() => client.workPools.read("default"));
  return {
    client,
    uptime: createUptimeClient({
      url: env.UPTIME_API_URL,
      basic: { username: "admin", password: PASSWORD },
    }),
    folder: own.path,
    start: (file, more = {}) => startExample(file, { ...env, ...more }),
    command: (...args) => runCommand(args, env),
    async [Symbol.asyncDispose]() {
      server.kill("SIGTERM");
      await server.exited;
      await data[Symbol.asyncDispose]();
      await own[Symbol.asyncDispose]();
    },
  };
}

function startExample(file: string, env: ServerEnv): RunningExample {
  const path = example(file);
  const args = file.includes(".test.") ? ["--test", path] : [path];
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env["PATH"], ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stdout = "";
  let printed = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
    printed += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    printed += text;
  });
  const ended = once(child, "close").then(([code]) => code as number | null);
  return {
    stdout: () => stdout,
    printed: () => printed,
    ended,
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

// A worker beside the server, in a process of its own: what its jobs do cannot hurt the server, and
// it needs no second terminal.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { WorkerCredentials } from "@orchestrator/server";
import { say } from "../../io/print.ts";
import { OWN_FOLDER } from "../../own-folder.ts";
import { LOCAL_POOL } from "./local-pool.ts";

const COMMAND = join(OWN_FOLDER, "bin", "orchestrator.mjs");
const DRAIN_SECONDS = "10";
const AGAIN_MS = 2000;
const TAKEN = 409;

/**
 * Jobs have no business with what the server is told, such as where its database is and how its
 * secrets are sealed.
 */
const OURS = /^(?:ORCHESTRATOR|UPTIME)_/;
const FOR_JOBS = /^ORCHESTRATOR_(?:HOME$|API_KEY$|API_AUTH_STRING$|OFFLINE$|SDK_|WORKER_)/;

export interface LocalWorker {
  /** Lets jobs end, and ends them when that takes too long. */
  readonly stop: () => Promise<void>;
  /** Told a second time it kills them. */
  readonly hurry: () => void;
}

/**
 * Made before the server says that it is ready, so that who deploys at once finds it; its worker
 * gives it a template.
 */
export async function ensureLocalPool(
  serverUrl: string,
  credentials: WorkerCredentials,
): Promise<void> {
  const { ApiError, createClient } = await import("@orchestrator/client/node");
  const { workPools } = createClient({ url: `${reachable(serverUrl)}/api`, ...credentials });
  try {
    await workPools.create({ name: LOCAL_POOL, type: "process", base_job_template: {} });
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== TAKEN) throw error;
  }
}

export function startLocalWorker(serverUrl: string, credentials: WorkerCredentials): LocalWorker {
  let isStopping = false;
  let child = launch(serverUrl, credentials);
  const keepAlive = (worker: ChildProcess): void => {
    worker.once("exit", (code, signal) => {
      if (isStopping) return;
      say(`The local worker ended (${code ?? signal}) and is started again`);
      setTimeout(() => {
        if (isStopping) return;
        child = launch(serverUrl, credentials);
        keepAlive(child);
      }, AGAIN_MS).unref();
    });
  };
  keepAlive(child);
  return {
    async stop() {
      isStopping = true;
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill("SIGTERM");
      await once(child, "exit");
    },
    hurry: () => void child.kill("SIGTERM"),
  };
}

/**
 * In a process group of its own, because a terminal tells its signals to a whole group, and the
 * server passes them on.
 */
function launch(serverUrl: string, { apiKey, authString }: WorkerCredentials): ChildProcess {
  const args = ["worker", "start", "--pool", LOCAL_POOL, "--drain", DRAIN_SECONDS];
  const child = spawn(process.execPath, [COMMAND, ...args], {
    env: {
      ...environmentForJobs(),
      ORCHESTRATOR_API_URL: `${reachable(serverUrl)}/api`,
      ...(apiKey === undefined ? {} : { ORCHESTRATOR_API_KEY: apiKey }),
      ...(authString === undefined ? {} : { ORCHESTRATOR_API_AUTH_STRING: authString }),
    },
    detached: true,
    // The worker stops when this channel breaks, so that it does not outlive a server that was
    // killed.
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  child.on("error", (error) => say(`The local worker could not be started: ${error.message}`));
  return child;
}

function environmentForJobs(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !OURS.test(name) || FOR_JOBS.test(name)),
  );
}

/** A server that listens everywhere is also on this machine. */
function reachable(url: string): string {
  return url.replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//[::1]:");
}

// Jobs as processes of this machine, each with its own environment, folder and process group.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { hostname, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { builtFile } from "../built-file.ts";
import { asError } from "../errors.ts";
import { signalGroup } from "./process-group.ts";
import { identifierOf, ProcessJob } from "./process-job.ts";
import { PROCESS_TEMPLATE } from "./process-template.ts";
import {
  JobError,
  type JobRunner,
  type OnLine,
  type OnPlaced,
  type RunningJob,
  type WorkerJob,
} from "./runner.ts";
import { WarmRunners } from "./warm-runners.ts";
import { readWarmSettings } from "./warm-settings.ts";
import { warmVersionOf } from "./warm-version.ts";

let warm: WarmRunners | null = null;

export const processRunner: JobRunner = {
  type: "process",
  pullsCode: true,
  template: PROCESS_TEMPLATE,
  async start(job, onLine, onPlaced) {
    const place = await folderFor(job);
    const { folder, isFresh, discard } = place;
    try {
      const version = isFresh ? null : warmVersionOf(job, folder);
      if (version === null) return await launch(job, { ...place, onLine, onPlaced });
      warm ??= new WarmRunners(readWarmSettings());
      return await warm.start(job, version, { onLine, onPlaced });
    } catch (error) {
      await discard();
      throw error instanceof JobError
        ? error
        : new JobError(`The process could not be started: ${asError(error).message}`);
    }
  },
  close: () => warm?.close(),
};

interface Place {
  readonly folder: string;
  /** Whether it was made for this job only. */
  readonly isFresh: boolean;
  /** Removes a folder that was. */
  readonly discard: () => Promise<void>;
}

interface Listeners {
  readonly onLine: OnLine;
  readonly onPlaced: OnPlaced;
}

async function folderFor({ configuration, folder }: WorkerJob): Promise<Place> {
  const given = configuration["working_dir"];
  const wanted = typeof given === "string" && given !== "" ? given : folder;
  if (wanted === null) {
    const fresh = await mkdtemp(join(tmpdir(), "orchestrator-job-"));
    return {
      folder: fresh,
      isFresh: true,
      discard: () => rm(fresh, { recursive: true, force: true }),
    };
  }
  const path = resolve(wanted);
  const found = await stat(path).catch(() => null);
  if (!found?.isDirectory()) throw new JobError(`There is no folder ${path} on ${hostname()}`);
  return { folder: path, isFresh: false, discard: async () => {} };
}

async function launch(
  job: WorkerJob,
  { folder, onPlaced, onLine, discard }: Place & Listeners,
): Promise<RunningJob> {
  const [program = "", ...args] = programOf(job, folder);
  const child = spawn(program, args, {
    cwd: folder,
    env: { ...process.env, ...job.env },
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const { pid } = child;
  if (pid !== undefined) tellPlace(pid, onPlaced);
  await once(child, "spawn");
  if (pid === undefined) throw new JobError("The process could not be started");
  return new ProcessJob(child, { pid, onLine, discard });
}

/** It runs already: one that cannot be written down must not go on. */
function tellPlace(pid: number, onPlaced: OnPlaced): void {
  try {
    onPlaced({ identifier: identifierOf(pid), pid });
  } catch (error) {
    signalGroup(pid, "SIGKILL");
    throw error;
  }
}

function programOf({ command }: WorkerJob, folder: string): readonly string[] {
  if (typeof command === "string") return ["/bin/sh", "-c", command];
  return command ?? [process.execPath, enginePath(folder)];
}

/**
 * The project's own SDK where it has one: a flow must be executed by the copy that it was written
 * with.
 */
function enginePath(folder: string): string {
  try {
    const path = createRequire(join(folder, "package.json")).resolve("@orchestrator/sdk/execute");
    if (existsSync(path)) return path;
  } catch {
    // The project has none.
  }
  return builtFile("execute");
}

// Jobs as processes of this machine, each with its own environment, folder and process group.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { hostname, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Readable } from "node:stream";
import { builtFile } from "../built-file.ts";
import { asError } from "../errors.ts";
import { nowMs, sleep } from "../time.ts";
import { readLines } from "./lines.ts";
import { isGroupAlive, signalGroup } from "./process-group.ts";
import { PROCESS_TEMPLATE } from "./process-template.ts";
import {
  type Job,
  type JobEnd,
  JobError,
  type OnLine,
  type OnPlaced,
  type Runner,
  type RunningJob,
} from "./runner.ts";

const LOOK_MS = 50;
/** For what a job that has ended by itself leaves running. */
const LEFT_BEHIND_SECONDS = 5;
/** A process that cannot be killed is waited for no longer. */
const UNKILLABLE_SECONDS = 10;
/** Somebody outside the group may hold the other end of the pipes. */
const PIPES_SECONDS = 2;

export const processRunner: Runner = {
  type: "process",
  template: PROCESS_TEMPLATE,
  async start(job, onLine, onPlaced) {
    const { folder, discard } = await folderFor(job);
    try {
      return await launch(job, { folder, discard, onLine, onPlaced });
    } catch (error) {
      await discard();
      throw error instanceof JobError
        ? error
        : new JobError(`The process could not be started: ${asError(error).message}`);
    }
  },
};

interface Place {
  readonly folder: string;
  /** Removes the folder if it was made for this job only. */
  readonly discard: () => Promise<void>;
}

interface Listeners {
  readonly onLine: OnLine;
  readonly onPlaced: OnPlaced;
}

async function folderFor({ configuration, folder }: Job): Promise<Place> {
  const given = configuration["working_dir"];
  const wanted = typeof given === "string" && given !== "" ? given : folder;
  if (wanted === null) {
    const fresh = await mkdtemp(join(tmpdir(), "orchestrator-job-"));
    return { folder: fresh, discard: () => rm(fresh, { recursive: true, force: true }) };
  }
  const path = resolve(wanted);
  const found = await stat(path).catch(() => null);
  if (!found?.isDirectory()) throw new JobError(`There is no folder ${path} on ${hostname()}`);
  return { folder: path, discard: async () => {} };
}

async function launch(
  job: Job,
  { folder, onPlaced, ...rest }: Place & Listeners,
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
  return new ProcessJob(child, { pid, ...rest });
}

const identifierOf = (pid: number): string => `${hostname()}:${pid}`;

/** It runs already: one that cannot be written down must not go on. */
function tellPlace(pid: number, onPlaced: OnPlaced): void {
  try {
    onPlaced({ identifier: identifierOf(pid), pid });
  } catch (error) {
    signalGroup(pid, "SIGKILL");
    throw error;
  }
}

function programOf({ command }: Job, folder: string): readonly string[] {
  if (typeof command === "string") return ["/bin/sh", "-c", command];
  return command ?? [process.execPath, enginePath(folder)];
}

/** The project's own SDK where it has one: a flow must be executed by the copy that it was written with. */
function enginePath(folder: string): string {
  try {
    const path = createRequire(join(folder, "package.json")).resolve("@orchestrator/sdk/execute");
    if (existsSync(path)) return path;
  } catch {
    // The project has none.
  }
  return builtFile("execute");
}

interface Launched {
  readonly pid: number;
  readonly onLine: OnLine;
  readonly discard: () => Promise<void>;
}

class ProcessJob implements RunningJob {
  readonly identifier: string;
  readonly pid: number;
  readonly ended: Promise<JobEnd>;
  #isStopping = false;
  #killAtMs = Number.POSITIVE_INFINITY;

  constructor(child: ChildProcess, { pid, onLine, discard }: Launched) {
    this.pid = pid;
    this.identifier = identifierOf(pid);
    const read = (stream: "stdout" | "stderr"): Promise<void> =>
      readLines(child[stream] as Readable, (text) => onLine(stream, text));
    const output = Promise.all([read("stdout"), read("stderr")]);
    this.ended = this.#untilEnded(child, output, discard);
  }

  stop(graceSeconds: number): void {
    this.#killAtMs = Math.min(this.#killAtMs, nowMs() + graceSeconds * 1000);
    if (this.#isStopping) return;
    this.#isStopping = true;
    signalGroup(this.pid, "SIGTERM");
    void this.#killInTime();
  }

  kill(): void {
    this.#isStopping = true;
    signalGroup(this.pid, "SIGKILL");
  }

  async #killInTime(): Promise<void> {
    while (isGroupAlive(this.pid)) {
      if (nowMs() >= this.#killAtMs) {
        this.kill();
        return;
      }
      await sleep(Math.min(LOOK_MS, Math.max(1, this.#killAtMs - nowMs())));
    }
  }

  async #untilEnded(
    child: ChildProcess,
    output: Promise<unknown>,
    discard: Launched["discard"],
  ): Promise<JobEnd> {
    const [code, signal] = (await once(child, "exit")) as [number | null, NodeJS.Signals | null];
    // What the first process has started ends with it.
    if (isGroupAlive(this.pid)) {
      this.stop(LEFT_BEHIND_SECONDS);
      const patienceMs = this.#killAtMs + UNKILLABLE_SECONDS * 1000;
      while (isGroupAlive(this.pid) && nowMs() < patienceMs) await sleep(LOOK_MS);
    }
    const read = new AbortController();
    await Promise.race([output, sleep(PIPES_SECONDS * 1000, read.signal).catch(() => {})]);
    read.abort(new Error("read"));
    child.stdout?.destroy();
    child.stderr?.destroy();
    await discard().catch(() => {}); // What it left in its folder is only in the way.
    return { code, signal };
  }
}

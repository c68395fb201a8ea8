// The worker's side of a warm runner: a process that executes one run after another.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { newId } from "../ids.ts";
import type { DoneMessage, LoadedFile, RunMessage, RunnerMessage } from "../runner/messages.ts";
import { nowMs, runAfter, sleepOrAbort } from "../time.ts";
import { type FileStamps, isUnchanged } from "./file-stamps.ts";
import { hasCompany } from "./process-group.ts";
import { identifierOf, LEFT_BEHIND_SECONDS, PIPES_SECONDS, ProcessJob } from "./process-job.ts";
import { RunOutput } from "./run-output.ts";
import { type JobEnd, JobError, type OnLine, type RunningJob, type WorkerJob } from "./runner.ts";
import { runVariables, versionStamps, type WarmVersion } from "./warm-version.ts";

/** What a runner prints before it has its first run belongs to that run. */
const MAX_EARLY_LINES = 1000;

interface Usage {
  readonly runs: number;
  readonly ageMs: number;
  readonly memoryBytes: number;
}

export class WarmProcess {
  readonly pid: number;
  readonly version: WarmVersion;
  /** Resolves when nothing of the process is left. */
  readonly ended: Promise<JobEnd>;
  readonly #child: ChildProcess;
  readonly #process: ProcessJob;
  readonly #startedMs: number;
  readonly #stamps: FileStamps;
  readonly #early: [Parameters<OnLine>[0], string][] = [];
  #isStale = false;
  #isEnding = false;
  /** Its run was told to end. */
  #isStopped = false;
  #runs = 0;
  #memoryBytes = 0;
  #output: RunOutput | null = null;
  #onDone: (message: DoneMessage) => void = () => {};
  /** Of the current run; a single slot, so that listeners do not add up over many runs. */
  #onEnd: (end: JobEnd) => void = () => {};

  private constructor(child: ChildProcess, version: WarmVersion, given: Started) {
    this.#child = child;
    this.version = version;
    this.pid = given.pid;
    this.#startedMs = given.startedMs;
    this.#stamps = given.stamps;
    const onLine: OnLine = (stream, text) => this.#take(stream, text);
    const discard = async (): Promise<void> => {};
    this.#process = new ProcessJob(child, { pid: given.pid, onLine, discard });
    this.ended = this.#process.ended;
    void this.ended.then((end) => {
      this.#isEnding = true;
      this.#onEnd(end);
    });
    child.on("message", (message: RunnerMessage) => this.#hear(message));
    child.on("error", () => {}); // of the channel: that the process has ended says enough
  }

  static async start(version: WarmVersion): Promise<WarmProcess> {
    const startedMs = nowMs();
    const stamps = versionStamps(version);
    const child = spawn(process.execPath, [version.program], {
      cwd: version.folder,
      env: { ...process.env, ...version.env },
      detached: true,
      stdio: ["ignore", "pipe", "pipe", "ipc"],
    });
    await once(child, "spawn");
    const { pid } = child;
    if (pid === undefined) throw new JobError("The process could not be started");
    return new WarmProcess(child, version, { pid, startedMs, stamps });
  }

  /** Whether it may execute another run: it lives, and no loaded file has changed. */
  isFit(): boolean {
    return !this.#isEnding && !this.#isStale && isUnchanged(this.#stamps);
  }

  usage(): Usage {
    return {
      runs: this.#runs,
      ageMs: nowMs() - this.#startedMs,
      memoryBytes: this.#memoryBytes,
    };
  }

  /** Executes a run; `onFree` hears when the process can have another. */
  execute(job: WorkerJob, onLine: OnLine, onFree: () => void): RunningJob {
    if (job.claimed === null) throw new JobError("The run was not claimed");
    this.#runs += 1;
    const endMark = `\u001d${newId()}`;
    const output = new RunOutput(onLine, endMark);
    this.#output = output;
    for (const [stream, text] of this.#early.splice(0)) output.take(stream, text);
    const ended = new Promise<JobEnd>((resolve) => {
      this.#onEnd = (end) => {
        this.#output = null;
        resolve(end);
        if (!this.#isEnding) onFree();
      };
    });
    this.#onDone = (message) => void this.#finish(output, message);
    const message: RunMessage = {
      type: "run",
      record: job.claimed,
      infrastructurePid: identifierOf(this.pid),
      env: runVariables(job),
      endMark,
    };
    this.#child.send(message, () => {}); // a process that has ended says so itself
    return {
      identifier: identifierOf(this.pid),
      pid: this.pid,
      isReported: true,
      ended,
      stop: (graceSeconds) => {
        this.#isStopped = true;
        this.#process.stop(graceSeconds);
      },
      kill: () => {
        this.#isStopped = true;
        this.#process.kill();
      },
    };
  }

  /** Lets it go: it ends by itself as soon as it has no run. */
  retire(): void {
    if (this.#isEnding) return;
    this.#isEnding = true;
    if (this.#child.connected) this.#child.disconnect();
    const patience = runAfter(LEFT_BEHIND_SECONDS * 1000, () => this.#process.stop(0));
    void this.ended.then(() => patience.cancel());
  }

  /** Whether the worker's process stays for it. */
  hold(isHeld: boolean): void {
    const change = isHeld ? "ref" : "unref";
    this.#child[change]();
    this.#child.channel?.[change]();
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      (stream as unknown as Record<typeof change, () => void> | null)?.[change]();
    }
  }

  /** The run has ended. Where something of it may be left, it has ended when its process has. */
  async #finish(output: RunOutput, { endedAs, hasSpawned }: DoneMessage): Promise<void> {
    const read = new AbortController();
    const late = sleepOrAbort(PIPES_SECONDS * 1000, read.signal).catch(() => {});
    await Promise.race([output.ended, late]);
    read.abort(new Error("read"));
    const isAlone = !hasSpawned || !hasCompany(this.pid);
    if (this.#isStopped || !output.isEnded || !isAlone) this.retire();
    else this.#onEnd({ code: 0, signal: null, ...(endedAs !== null && { endedAs }) });
  }

  #take(stream: Parameters<OnLine>[0], text: string): void {
    if (this.#output !== null) this.#output.take(stream, text);
    else if (this.#early.length < MAX_EARLY_LINES && this.#runs === 0)
      this.#early.push([stream, text]);
  }

  #hear(message: RunnerMessage): void {
    if (message.type === "loaded") {
      for (const file of message.files) this.#watch(file);
      return;
    }
    this.#memoryBytes = message.memoryBytes;
    this.#onDone(message);
  }

  /** A file that was changed while the process loaded it may have been loaded as it was before. */
  #watch({ path, changedMs }: LoadedFile): void {
    this.#stamps.set(path, changedMs);
    if (changedMs >= this.#startedMs) this.#isStale = true;
  }
}

interface Started {
  readonly pid: number;
  readonly startedMs: number;
  readonly stamps: FileStamps;
}

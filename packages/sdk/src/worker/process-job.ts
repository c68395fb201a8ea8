// One process of this machine that executes a job, with all processes of its group.

import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { hostname } from "node:os";
import type { Readable } from "node:stream";
import { nowMs, sleepOrAbort } from "../time.ts";
import { forEachLine } from "./lines.ts";
import { isGroupAlive, signalGroup } from "./process-group.ts";
import type { JobEnd, OnLine, RunningJob } from "./runner.ts";

const LOOK_MS = 50;
/** For what a job that has ended by itself leaves running. */
export const LEFT_BEHIND_SECONDS = 5;
/** A process that cannot be killed is waited for no longer. */
const UNKILLABLE_SECONDS = 10;
/** Somebody outside the group may hold the other end of the pipes. */
export const PIPES_SECONDS = 2;

/** Waits for the output of a process that has ended, but not for those who hold its pipes. */
export async function endOutput(child: ChildProcess, output: Promise<unknown>): Promise<void> {
  const read = new AbortController();
  await Promise.race([output, sleepOrAbort(PIPES_SECONDS * 1000, read.signal).catch(() => {})]);
  read.abort(new Error("read"));
  child.stdout?.destroy();
  child.stderr?.destroy();
}

export const identifierOf = (pid: number): string => `${hostname()}:${pid}`;

export interface Launched {
  readonly pid: number;
  readonly onLine: OnLine;
  readonly discard: () => Promise<void>;
}

export class ProcessJob implements RunningJob {
  readonly identifier: string;
  readonly pid: number;
  readonly ended: Promise<JobEnd>;
  #isStopping = false;
  #killAtMs = Number.POSITIVE_INFINITY;

  constructor(child: ChildProcess, { pid, onLine, discard }: Launched) {
    this.pid = pid;
    this.identifier = identifierOf(pid);
    const read = (stream: "stdout" | "stderr"): Promise<void> =>
      forEachLine(child[stream] as Readable, (text) => onLine(stream, text));
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
      await sleepOrAbort(Math.min(LOOK_MS, Math.max(1, this.#killAtMs - nowMs())));
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
      while (isGroupAlive(this.pid) && nowMs() < patienceMs) await sleepOrAbort(LOOK_MS);
    }
    await endOutput(child, output);
    await discard().catch(() => {}); // What it left in its folder is only in the way.
    return { code, signal };
  }
}

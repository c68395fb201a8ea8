// What a thread of the pool runs: one job after the other, each a function of a module that is
// loaded when it is first needed.

import { parentPort } from "node:worker_threads";
import type { JobAnswer, JobMessage } from "./pool-thread.ts";
import { threadName } from "./thread-cpu.ts";
import { yieldToEventLoop } from "./yield-to-event-loop.ts";

const THREAD = threadName();
yieldToEventLoop(THREAD);

const answer = (message: JobAnswer): void => parentPort?.postMessage(message);

type Work = (input: unknown) => unknown;

async function load({ module, name }: JobMessage): Promise<Work> {
  const exports = (await import(/* @vite-ignore */ module)) as Readonly<Record<string, Work>>;
  const work = exports[name];
  if (work === undefined) throw new Error(`${module} has no ${name}`);
  return work;
}

async function execute(job: JobMessage): Promise<void> {
  let kind: "unloadable" | "failed" = "unloadable";
  try {
    const work = await load(job);
    kind = "failed";
    // Loading the module does not count: the budget is for what callers supply.
    answer({ kind: "begun", thread: THREAD });
    answer({ kind: "done", result: work(job.input) });
  } catch (error) {
    answer({ kind, message: error instanceof Error ? String(error.stack) : "unknown" });
  }
}

parentPort?.on("message", (message: JobMessage) => void execute(message));

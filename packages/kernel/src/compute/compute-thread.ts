// What a thread of the pool runs: one job after the other, each a function of a module that is loaded when it is first needed.

import { parentPort } from "node:worker_threads";
import type { JobAnswer, JobMessage } from "./pool-thread.ts";

const answer = (message: JobAnswer): void => parentPort?.postMessage(message);

async function execute({ module, name, input }: JobMessage): Promise<void> {
  try {
    const exports = (await import(/* @vite-ignore */ module)) as Readonly<
      Record<string, (input: unknown) => unknown>
    >;
    const work = exports[name];
    if (work === undefined) throw new Error(`${module} has no ${name}`);
    // Loading the module does not count: the budget is for what callers supply.
    answer({ kind: "begun" });
    answer({ kind: "done", result: work(input) });
  } catch (error) {
    answer({ kind: "failed", message: error instanceof Error ? String(error.stack) : "unknown" });
  }
}

parentPort?.on("message", (message: JobMessage) => void execute(message));

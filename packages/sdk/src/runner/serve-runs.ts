// A warm runner: a process that has loaded a flow and executes its runs, one after another, as its
// worker sends them.
//
// Whatever a worker could not rely on afterwards ends the process: an error around a run, something
// that a run has left behind, a worker that is gone. The worker then sees the same end as that of a
// process of one run.

import { subscribe } from "node:diagnostics_channel";
import { fileURLToPath } from "node:url";
import { builtUrl } from "../built-file.ts";
import { loadFlow } from "../entry/entrypoint.ts";
import { runFlowRun } from "../entry/run-flow-run.ts";
import { asError } from "../errors.ts";
import type { RunState } from "../options/options.ts";
import { activeResources, hasLeftovers } from "./leftovers.ts";
import { LoadedFiles } from "./loaded-files.ts";
import type { RunMessage, RunnerMessage } from "./messages.ts";
import { enterEnvironment } from "./run-environment.ts";

/** Modules that a flow imports while it runs are mostly imported by its first runs. */
const THOROUGH_RUNS = 3;

export function serveRuns(entrypoint: string): void {
  const runner = new RunExecutor(entrypoint);
  process.on("message", (message: RunMessage) => void runner.execute(message));
  process.once("disconnect", () => runner.leave());
}

class RunExecutor {
  readonly #entrypoint: string;
  readonly #files = new LoadedFiles(folderOfSdk());
  readonly #loading: Promise<unknown>;
  #runs = 0;
  #isBusy = false;
  #hasSpawned = false;

  constructor(entrypoint: string) {
    this.#entrypoint = entrypoint;
    subscribe("child_process", () => {
      this.#hasSpawned = true;
    });
    // A failure before any run has no run to report it on: the first run repeats it.
    this.#loading = loadFlow(entrypoint, process.cwd()).then(
      () => this.#sendFiles(true),
      () => {},
    );
  }

  async execute({ record, infrastructurePid, env, endMark }: RunMessage): Promise<void> {
    this.#isBusy = true;
    await this.#loading;
    this.#runs += 1;
    this.#hasSpawned = false;
    const before = activeResources();
    const restore = enterEnvironment(env);
    let endedAs: string | null = null;
    const onEnded = ({ name }: RunState): void => {
      endedAs = name;
    };
    try {
      const executor = { infrastructurePid, onEnded };
      await runFlowRun(record.id, { entrypoint: this.#entrypoint, record, executor });
    } catch (error) {
      process.stderr.write(`orchestrator: ${asError(error).message}\n`);
      process.exit(1);
    }
    restore();
    if (!process.connected || (await hasLeftovers(before))) process.exit(0);
    this.#sendFiles(this.#runs <= THOROUGH_RUNS);
    const memoryBytes = process.memoryUsage.rss();
    this.#isBusy = false;
    await Promise.all([printMark(process.stdout, endMark), printMark(process.stderr, endMark)]);
    send({ type: "done", endedAs, hasSpawned: this.#hasSpawned, memoryBytes });
  }

  /** A run that is under way ends first. */
  leave(): void {
    if (!this.#isBusy) process.exit(0);
  }

  #sendFiles(isThorough: boolean): void {
    const files = this.#files.take({ isThorough });
    if (files.length > 0) send({ type: "loaded", files });
  }
}

function send(message: RunnerMessage): void {
  if (process.connected) process.send?.(message, () => {}); // a worker that is gone needs it no longer
}

/** In a line of its own, whatever the run has printed last. */
function printMark(stream: NodeJS.WriteStream, mark: string): Promise<void> {
  return new Promise((resolve) => {
    stream.write(`\n${mark}\n`, () => resolve());
  });
}

/** It comes with the packages that the worker watches as a whole. */
const folderOfSdk = (): string => fileURLToPath(new URL("./", builtUrl("index")));

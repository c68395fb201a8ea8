// The checks that this process runs at present, and its hold on the monitors it runs them for.

import { setMaxListeners } from "node:events";
import type { CheckResult } from "@orchestrator/contract";
import type { runPipeline } from "../checks/run-pipeline.ts";
import { Connectivity } from "./connectivity.ts";
import { type RunLimits, RunQueue } from "./run-queue.ts";

export type Pipeline = typeof runPipeline;

export interface RunsOptions {
  /** The name under which monitors are held; never used before. */
  readonly holder: string;
  readonly limits: RunLimits;
  /** Looks at a target once. */
  readonly pipeline: Pipeline;
  /** `host:port` of what can be reached whenever our own network works. */
  readonly referenceTargets?: readonly string[];
}

type Run = Promise<CheckResult | null>;

interface Steps<T> {
  /** Null when there is nothing to keep. */
  readonly look: (signal: AbortSignal) => Promise<T | null>;
  readonly keep: (seen: T) => Run;
}

export class RunsInFlight {
  readonly pipeline: Pipeline;
  readonly queue: RunQueue;
  readonly connectivity: Connectivity;
  /** Monitor → until when it is left alone because its target refused the credentials, in microseconds. */
  readonly heldBack = new Map<string, number>();
  readonly #runs = new Map<string, Run>();
  #holder: string;
  #holdUntilMs: number | null = null;
  #interrupt = freshInterrupt();

  constructor({ holder, limits, pipeline, referenceTargets = [] }: RunsOptions) {
    this.#holder = holder;
    this.pipeline = pipeline;
    this.queue = new RunQueue(limits);
    this.connectivity = new Connectivity(referenceTargets);
  }

  get holder(): string {
    return this.#holder;
  }

  get count(): number {
    return this.#runs.size;
  }

  /** The run of a monitor that is under way. */
  find(id: string): Run | undefined {
    return this.#runs.get(id);
  }

  /**
   * Starts a run when its turn comes, unless there is one: then it is that one. Its turn is over when the target was
   * looked at; the run is not, until what was seen is kept.
   */
  join<T>(id: string, host: string, { look, keep }: Steps<T>): Run {
    const known = this.#runs.get(id);
    if (known !== undefined) return known;
    const run = this.#run(host, { look, keep }).finally(() => {
      if (this.#runs.get(id) === run) this.#runs.delete(id);
    });
    this.#runs.set(id, run);
    return run;
  }

  async #run<T>(host: string, { look, keep }: Steps<T>): Run {
    const { signal } = this.#interrupt;
    const seen = await this.queue.run(host, async () => (signal.aborted ? null : look(signal)));
    return seen === null ? null : keep(seen);
  }

  /** Waits until everything that is under way has ended. */
  async idle(): Promise<void> {
    while (this.#runs.size > 0) await Promise.allSettled(this.#runs.values());
  }

  /** Ends everything that is under way; its results are not kept. */
  interrupt(): void {
    this.#interrupt.abort();
    this.#interrupt = freshInterrupt();
  }

  /** The hold was renewed by a request that was sent at `askedAtMs` on the monotonic clock. */
  held(askedAtMs: number, ttlSeconds: number): void {
    this.#holdUntilMs = askedAtMs + ttlSeconds * 1000;
  }

  /** For how long the hold is good still. */
  get holdsForMs(): number {
    return this.#holdUntilMs === null ? 0 : this.#holdUntilMs - performance.now();
  }

  /** Whether others may have taken what this process held. */
  get hasLapsed(): boolean {
    return this.#holdUntilMs !== null && this.#holdUntilMs <= performance.now();
  }

  /** Begins anew under another name: what was held under the old one belongs to whoever has taken it. */
  startOver(holder: string): void {
    this.interrupt();
    this.#holder = holder;
    this.#holdUntilMs = null;
  }
}

/** Each of very many runs listens to it. */
function freshInterrupt(): AbortController {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  return controller;
}

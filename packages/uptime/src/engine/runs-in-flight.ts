// The checks that this process runs at present, and its hold on the monitors it runs them for.

import { setMaxListeners } from "node:events";
import type { CheckResult } from "@orchestrator/contract";
import type { runPipeline } from "../checks/run-pipeline.ts";
import { Connectivity } from "./connectivity.ts";
import { ConcurrencyLimiter, RunQueue, type RunQueueLimits } from "./run-queue.ts";

export type Pipeline = typeof runPipeline;

export interface RunsOptions {
  /** The name under which monitors are held; never used before. */
  readonly holder: string;
  readonly limits: RunQueueLimits;
  /**
   * Whether the database has few connections; else it may be asked any number of questions at once.
   */
  readonly isRemote: boolean;
  /** Looks at a target once. */
  readonly pipeline: Pipeline;
  /** `host:port` of what can be reached whenever our own network works. */
  readonly referenceTargets?: readonly string[];
}

export interface DeferredRun {
  /** In microseconds. */
  readonly until: number;
  /**
   * The `updated_at` of the monitor whose credentials were refused: once it is edited, others may
   * be taken.
   */
  readonly asOf: string;
}

type Run = Promise<CheckResult | null>;

interface UnderWay {
  readonly run: Run;
  /** Whether the target has not been seen yet. */
  isLooking: boolean;
}

/**
 * How many of their questions the database is asked at once, of the connections that this process
 * has.
 */
const MOST_QUESTIONS = 4;

interface Steps<T> {
  /** Null when there is nothing to keep. */
  readonly look: (signal: AbortSignal) => Promise<T | null>;
  readonly keep: (seen: T) => Run;
}

export class RunsInFlight {
  readonly pipeline: Pipeline;
  readonly queue: RunQueue;
  /**
   * For the questions of those who wait for checks by hand: a thousand at once would leave no
   * connection for anybody else.
   */
  readonly asking: ConcurrencyLimiter;
  readonly connectivity: Connectivity;
  /** Monitors that are left alone because their targets refused the credentials. */
  readonly heldBack = new Map<string, DeferredRun>();
  readonly #runs = new Map<string, UnderWay>();
  /** Monitor → when the last who has asked for it to stand still is done. */
  readonly #turns = new Map<string, Promise<unknown>>();
  #holder: string;
  #holdUntilMs: number | null = null;
  #interrupt = freshInterrupt();

  constructor({ holder, limits, isRemote, pipeline, referenceTargets = [] }: RunsOptions) {
    this.#holder = holder;
    this.pipeline = pipeline;
    this.queue = new RunQueue(limits);
    this.asking = new ConcurrencyLimiter(isRemote ? MOST_QUESTIONS : Number.POSITIVE_INFINITY);
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
    return this.#runs.get(id)?.run;
  }

  /**
   * Whether that run can still see what is the case now; what comes afterwards is only about
   * keeping it.
   */
  isLooking(id: string): boolean {
    return this.#runs.get(id)?.isLooking ?? false;
  }

  /**
   * Starts a run when its turn comes, unless there is one: then it is that one. Its turn is over
   * when the target was looked at; the run is not, until what was seen is kept.
   */
  join<T>(id: string, host: string, { look, keep }: Steps<T>): Run {
    const known = this.#runs.get(id);
    if (known !== undefined) return known.run;
    const seen = (): void => {
      underWay.isLooking = false;
    };
    const run = this.#run(host, { look, keep }, seen).finally(() => {
      if (this.#runs.get(id) === underWay) this.#runs.delete(id);
    });
    const underWay: UnderWay = { run, isLooking: true };
    this.#runs.set(id, underWay);
    return run;
  }

  async #run<T>(host: string, { look, keep }: Steps<T>, onSeen: () => void): Run {
    const { signal } = this.#interrupt;
    const seen = await this.queue.run(host, async () => (signal.aborted ? null : look(signal)));
    onSeen();
    return seen === null ? null : keep(seen);
  }

  /**
   * One after the other for each monitor: whoever takes it to run it, and whoever gives it away
   * because nothing of it runs. Else it could be given away just as a run of it starts, and another
   * process would run it as well.
   */
  async inTurn<T>(ids: readonly string[], work: () => Promise<T>): Promise<T> {
    const others = ids.flatMap((id) => this.#turns.get(id) ?? []);
    const turn = Promise.allSettled(others).then(work);
    for (const id of ids) this.#turns.set(id, turn);
    try {
      return await turn;
    } finally {
      for (const id of ids) if (this.#turns.get(id) === turn) this.#turns.delete(id);
    }
  }

  /** Waits until everything that is under way has ended. */
  async idle(): Promise<void> {
    while (this.#runs.size > 0)
      await Promise.allSettled([...this.#runs.values()].map(({ run }) => run));
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

  /**
   * Begins anew under another name: what was held under the old one belongs to whoever has taken
   * it.
   */
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

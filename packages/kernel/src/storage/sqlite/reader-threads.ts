// Queries that may have to go through all rows of a table, each on a thread beside the event loop:
// in here, everything else would wait for as long as they take. What an index answers at once stays
// in here, because to send it there and back would cost more than the answer.

import { AppError } from "../../errors/app-error.ts";
import type { Query } from "../statement.ts";
import { closed, ReaderThread, type ReadJob } from "./reader-thread.ts";
import { encode, withPlainLimits } from "./sqlite-connection.ts";

/**
 * One of them is kept free of what is known to take long, so that the rest need not wait for it.
 */
const MOST_THREADS = 2;
/** Whoever comes when so many wait already is told to come back. */
const MOST_WAITING = 1000;
const SLOW_MS = 50;
const MOST_KNOWN_AS_SLOW = 500;
const PAUSE_MS = 1000;

export interface ReaderThreadOptions {
  /**
   * How long a pause lasts once all that was being read is done, unless it is ended before.
   * @default 1000
   */
  readonly pauseMs?: number;
  /** In a pause, nothing is being read any more. */
  readonly onDrained?: () => void;
}

export class ReaderThreads {
  readonly #file: string;
  readonly #pauseMs: number;
  readonly #onDrained: () => void;
  readonly #threads: ReaderThread[] = [];
  readonly #waiting: ReadJob[] = [];
  /** Queries that took long when they were last asked. */
  readonly #slow = new Set<string>();
  #isPaused = false;
  #pauseEnd: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(
    file: string,
    { pauseMs = PAUSE_MS, onDrained = () => {} }: ReaderThreadOptions = {},
  ) {
    this.#file = file;
    this.#pauseMs = pauseMs;
    this.#onDrained = onDrained;
  }

  /** The first row of a query, as of now. */
  get<R>({ sql, values, gone }: Query): Promise<R | undefined> {
    if (this.#isClosed) return Promise.reject(closed());
    if (this.#waiting.length >= MOST_WAITING) return Promise.reject(tooMany());
    return new Promise((resolve, reject) => {
      const job: ReadJob = {
        sql: withPlainLimits(sql),
        values: encode([...values]),
        resolve: resolve as (row: unknown) => void,
        reject,
      };
      this.#waiting.push(job);
      this.#begin();
      if (gone !== undefined && this.#waiting.includes(job)) this.#watch(job, gone());
    });
  }

  /** What nobody waits for is not read. */
  #watch(job: ReadJob, gone: AbortSignal): void {
    const giveUp = (): void => {
      const at = this.#waiting.indexOf(job);
      if (at < 0) return;
      this.#waiting.splice(at, 1);
      job.reject(new AppError("unavailable", "Nobody waits for the answer any more"));
    };
    if (gone.aborted) giveUp();
    else gone.addEventListener("abort", giveUp, { once: true });
  }

  get isReading(): boolean {
    return this.#threads.some(({ job }) => job !== null);
  }

  /** Stands still until nothing is being read any more; false when that takes longer. */
  waitUntilDone(ms: number): boolean {
    return this.#threads.every((thread) => thread.waitUntilDone(ms));
  }

  /** Begins none for a while: what is read keeps the write-ahead log from being started afresh. */
  pause(): void {
    if (this.#isPaused) return;
    this.#isPaused = true;
    this.#drain();
  }

  resume(): void {
    clearTimeout(this.#pauseEnd);
    this.#pauseEnd = undefined;
    this.#isPaused = false;
    this.#begin();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#pauseEnd);
    for (const { reject } of this.#waiting.splice(0)) reject(closed());
    await Promise.all(this.#threads.map((thread) => thread.close()));
    inUse.delete(this);
  }

  #begin(): void {
    while (!this.#isPaused && this.#waiting.length > 0) {
      const isSlowUnderWay = this.#threads.some(({ job }) => job !== null && this.#isSlow(job));
      const next = this.#waiting.findIndex((job) => !(isSlowUnderWay && this.#isSlow(job)));
      if (next < 0) return;
      try {
        const thread = this.#free();
        if (thread === null) return;
        for (const job of this.#waiting.splice(next, 1)) thread.run(job);
      } catch (error) {
        // No thread can be started.
        for (const job of this.#waiting.splice(next, 1)) job.reject(error);
      }
    }
  }

  #isSlow({ sql }: ReadJob): boolean {
    return this.#slow.has(sql);
  }

  #learn({ sql }: ReadJob, tookMs: number): void {
    if (tookMs < SLOW_MS) this.#slow.delete(sql);
    else {
      for (const oldest of this.#slow) {
        if (this.#slow.size < MOST_KNOWN_AS_SLOW) break;
        this.#slow.delete(oldest);
      }
      this.#slow.add(sql);
    }
  }

  #free(): ReaderThread | null {
    const idle = this.#threads.find(({ job }) => job === null);
    if (idle !== undefined) return idle;
    if (this.#threads.length >= MOST_THREADS) return null;
    inUse.add(this);
    const thread = new ReaderThread(this.#file, {
      onAnswer: (job, tookMs) => this.#learn(job, tookMs),
      onFree: (isAlive) => {
        if (!isAlive && this.#threads.includes(thread))
          this.#threads.splice(this.#threads.indexOf(thread), 1);
        if (this.#isPaused) this.#drain();
        else this.#begin();
      },
    });
    this.#threads.push(thread);
    return thread;
  }

  /** Once nothing is read any more, the pause will end. */
  #drain(): void {
    if (this.#isClosed || this.isReading || this.#pauseEnd !== undefined) return;
    this.#pauseEnd = setTimeout(() => this.resume(), this.#pauseMs);
    this.#onDrained();
  }
}

const inUse = new Set<ReaderThreads>();
const LAST_READ_MS = 3000;

/**
 * A thread that is ended inside the driver takes the process with it, whatever that was about to
 * say. Where the process is to end at once, what is being read is waited for; if that takes too
 * long, nothing better is left than to be killed.
 */
process.on("exit", () => {
  for (const threads of inUse)
    if (!threads.waitUntilDone(LAST_READ_MS)) process.kill(process.pid, "SIGKILL");
});

const tooMany = (): AppError =>
  new AppError("unavailable", "Too many long searches wait already, try again", {
    retryAfterSeconds: 1,
  });

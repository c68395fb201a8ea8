// The writer: the one connection that changes the file, and the queue in front of it.
//
// Every write that is waiting when the queue is looked at joins one transaction. One commit and one sync
// make all of them durable, and then all are answered. While a batch is worked on nothing else touches
// this connection, and a write awaits nothing but database work, which here is synchronous: a batch runs
// to its commit without the event loop turning. The sync runs beside the event loop, so reads go on
// meanwhile. They see what is committed, perhaps a moment before its author is told; whatever is written in
// consequence lies behind it in the log, so no effect outlives its cause.
//
// A write that fails must take back its own changes and no other's. Most have changed nothing when they
// fail, so the first try does without savepoints, which copy every page that changes. A write that fails
// after it changed something ends that try; the batch is rolled back and done again, each write then
// inside a savepoint of its own. So a write may run twice, as it may after a collision on PostgreSQL.

import { AppError } from "../../errors/app-error.ts";
import type { WriteStats } from "../database.ts";
import type { Nudges } from "../nudges.ts";
import type { Durability } from "./durability.ts";
import type { SqliteConnection } from "./sqlite-connection.ts";
import { SqliteTransaction } from "./sqlite-transaction.ts";

/** A batch ends after so many writes or so much time, so that reads and new requests get their turn. */
const MAX_BATCH = 256;
const MAX_BATCH_MS = 10;
/** Whoever comes when so many wait already is told to come back. */
const MAX_WAITING = 10_000;

export interface WriterOptions {
  readonly nudges: Nudges;
  readonly stats: WriteStats;
  readonly durability: Durability;
  /** A write that awaits something else than the database holds up all others; after this long it is taken back. */
  readonly maxWriteMs: number;
}

interface Job {
  readonly work: (tx: SqliteTransaction) => Promise<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** Whether the writes of a batch share the transaction plainly or each has a savepoint in it. */
type Mode = "together" | "apart";

export class GroupCommitWriter {
  readonly #connection: SqliteConnection;
  readonly #options: WriterOptions;
  readonly #watchdog: NodeJS.Timeout;
  #waiting: Job[] = [];
  #flushing: Promise<void> | null = null;
  #closed = false;
  /** Why nothing can be written any more. */
  #failure: unknown;
  #startedAt = 0;
  #lastChanges = 0;
  #giveUp: (error: Error) => void = () => {};

  constructor(connection: SqliteConnection, options: WriterOptions) {
    this.#connection = connection;
    this.#options = options;
    this.#watchdog = setInterval(() => this.#watch(), options.maxWriteMs / 5).unref();
  }

  submit<T>(work: (tx: SqliteTransaction) => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.#closed) {
        reject(new Error("The database is closed"));
        return;
      }
      if (this.#failure !== undefined) {
        reject(this.#failure);
        return;
      }
      if (this.#waiting.length >= MAX_WAITING) {
        reject(
          new AppError("unavailable", "Too many writes are waiting", { retryAfterSeconds: 1 }),
        );
        return;
      }
      this.#waiting.push({
        work,
        resolve: resolve as (value: unknown) => void,
        reject,
      });
      this.#flushing ??= this.#flush();
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#flushing;
    clearInterval(this.#watchdog);
    await this.#options.durability.close();
  }

  async #flush(): Promise<void> {
    while (this.#waiting.length > 0) {
      // Requests that arrived in this turn of the event loop get to join before the batch begins.
      await new Promise<void>((resolve) => setImmediate(resolve));
      await this.#commitBatch(this.#waiting.splice(0, MAX_BATCH));
      await this.#options.durability.tidy();
    }
    this.#flushing = null;
  }

  async #commitBatch(batch: Job[]): Promise<void> {
    const isDone = await this.#tryBatch(batch, "together");
    if (!isDone) await this.#tryBatch(batch, "apart");
  }

  /** False when a write failed with changes that only a savepoint could have taken back; nothing is left of the try then. */
  async #tryBatch(batch: Job[], mode: Mode): Promise<boolean> {
    const settled: (() => void)[] = [];
    const topics = new Set<string>();
    let started: number;
    try {
      this.#connection.command("begin immediate");
      const deadline = performance.now() + MAX_BATCH_MS;
      for (const job of batch) {
        const settle = await this.#runJob(job, topics, mode);
        if (settle === null) {
          this.#abandon();
          return false;
        }
        settled.push(settle);
        if (performance.now() > deadline) break;
      }
      this.#waiting.unshift(...batch.splice(settled.length));
      started = performance.now();
      this.#connection.command("commit");
    } catch (error) {
      this.#abandon();
      for (const job of batch) job.reject(error);
      return true;
    }
    try {
      await this.#options.durability.makeDurable();
    } catch (error) {
      this.#failFromNowOn([...batch, ...this.#waiting.splice(0)], error);
      return true;
    }
    const commitMs = performance.now() - started;
    for (const settle of settled) settle();
    for (const topic of topics) this.#options.nudges.fire(topic);
    this.#options.stats.onCommit(batch.length, commitMs / 1000);
    return true;
  }

  /** The operating system forgets what it could not write, so a later sync that succeeds would prove nothing. */
  #failFromNowOn(jobs: readonly Job[], error: unknown): void {
    this.#failure = error;
    for (const job of jobs) job.reject(error);
  }

  /** How to answer the job once the batch is durable; null when it failed with changes that only a savepoint could take back. */
  async #runJob(job: Job, topics: Set<string>, mode: Mode): Promise<(() => void) | null> {
    const isApart = mode === "apart";
    if (isApart) this.#connection.command("savepoint job");
    const nudged: string[] = [];
    const tx = new SqliteTransaction(this.#connection, nudged);
    const changesBefore = this.#connection.changes;
    try {
      const value = await this.#watched(job.work(tx));
      tx.assertSound();
      if (isApart) this.#connection.command("release job");
      for (const topic of nudged) topics.add(topic);
      return () => job.resolve(value);
    } catch (error) {
      if (isApart) this.#takeBackJob(error);
      else if (this.#connection.changes !== changesBefore || !tx.isSound) return null;
      return () => job.reject(error);
    } finally {
      tx.close();
    }
  }

  /** Settles with `work`, or rejects when the watchdog finds that it took too long. */
  #watched<T>(work: Promise<T>): Promise<T> {
    this.#startedAt = performance.now();
    return new Promise<T>((resolve, reject) => {
      this.#giveUp = reject;
      work.then(resolve, reject);
    });
  }

  #watch(): void {
    const { changes } = this.#connection;
    // It goes on, with pauses for everybody else perhaps.
    if (changes !== this.#lastChanges) this.#startedAt = performance.now();
    this.#lastChanges = changes;
    if (this.#flushing === null || performance.now() - this.#startedAt < this.#options.maxWriteMs)
      return;
    this.#giveUp(
      new Error("A write waited for something other than the database and was taken back"),
    );
  }

  #takeBackJob(reason: unknown): void {
    try {
      this.#connection.command("rollback to job");
      this.#connection.command("release job");
    } catch {
      // After errors such as a full disk SQLite has taken back the whole batch; that error is what all are told.
      throw reason;
    }
  }

  #abandon(): void {
    try {
      this.#connection.execute("rollback");
    } catch {
      // SQLite has rolled back by itself after the error that brought us here.
    }
  }
}

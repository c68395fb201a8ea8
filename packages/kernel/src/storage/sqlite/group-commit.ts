// The writer: the one connection that changes the file, and the queue in front of it.
//
// Every write that is waiting when the queue is looked at joins one transaction. One commit and one
// sync make all of them durable, and then all are answered. While a batch is worked on nothing else
// touches this connection, and a write awaits nothing but database work, which here is synchronous:
// a batch runs to its commit without the event loop turning. The sync runs beside the event loop,
// so reads go on meanwhile. They see what is committed, perhaps a moment before its author is told
// (longer where a batch is done again); whatever is written in consequence lies behind it in the
// log, so no effect outlives its cause.
//
// A write that fails must take back its own changes and no other's. Most have changed nothing when
// they fail. Where one has, the transaction is rolled back; what came before it is done again, then
// it alone, then what is behind it, in a transaction each and with one sync for all. So a write may
// run twice, as it may after a collision on PostgreSQL. Savepoints would do it in one transaction,
// and copy every page that changes.

import { AppError } from "../../errors/app-error.ts";
import type { WriteStats } from "../database.ts";
import type { WakeUps } from "../wake-ups.ts";
import {
  failedWrite,
  recordOutcome,
  type WriteJob,
  type WriteOutcome,
  type Written,
} from "./batch-outcome.ts";
import { BeforeCommit } from "./before-commit.ts";
import type { Durability } from "./durability.ts";
import type { SqliteConnection } from "./sqlite-connection.ts";
import { SqliteTransaction } from "./sqlite-transaction.ts";

/**
 * A batch ends after so many writes or so much time, so that reads and new requests get their turn.
 */
const MAX_BATCH = 256;
const MAX_BATCH_MS = 10;
/** Whoever comes when so many wait already is told to come back. */
const MAX_WAITING = 10_000;

export interface WriterOptions {
  readonly nudges: WakeUps;
  readonly stats: WriteStats;
  readonly durability: Durability;
  /**
   * A write that awaits something else than the database holds up all others; after this long it is
   * taken back.
   */
  readonly maxWriteMs: number;
}

export class GroupCommitWriter {
  readonly #connection: SqliteConnection;
  readonly #beforeCommit: BeforeCommit;
  readonly #options: WriterOptions;
  readonly #watchdog: NodeJS.Timeout;
  #waiting: WriteJob[] = [];
  #flushing: Promise<void> | null = null;
  #closed = false;
  #failure: unknown;
  #startedAt = 0;
  #lastChanges = 0;
  #giveUp: (error: Error) => void = () => {};

  constructor(connection: SqliteConnection, options: WriterOptions) {
    this.#connection = connection;
    this.#beforeCommit = new BeforeCommit(connection);
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

  /** Why nothing can be written any more; undefined as long as it can. */
  get failure(): unknown {
    return this.#failure;
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

  async #commitBatch(batch: WriteJob[]): Promise<void> {
    const written: Written = { answers: [], topics: new Set(), commits: [] };
    try {
      await this.#write(batch, written);
    } catch (error) {
      // Another program has the file. What is written is; those behind would wait as long for the
      // same.
      const rest = batch.slice(written.answers.length);
      for (const job of rest) recordOutcome(written, job, failedWrite(error));
    }
    this.#waiting.unshift(...batch.splice(written.answers.length));
    const started = performance.now();
    try {
      if (written.commits.length > 0) await this.#options.durability.makeDurable();
    } catch (error) {
      this.#failFromNowOn([...batch, ...this.#waiting.splice(0)], error);
      return;
    }
    const syncMs = performance.now() - started;
    for (const answer of written.answers) answer();
    for (const topic of written.topics) this.#options.nudges.fire(topic);
    const { commits } = written;
    for (const { writes, ms } of commits)
      this.#options.stats.onCommit(writes, (ms + syncMs / commits.length) / 1000);
  }

  /** As many as there is time for, at least one, in their order. */
  async #write(batch: readonly WriteJob[], written: Written): Promise<void> {
    let left = batch;
    let good = await this.#writeTogether(left, written, timeForABatch());
    const isOver = timeForABatch();
    while (good !== null) {
      if (good === left.length) {
        await this.#writeApart(left, written, isOver);
        return;
      }
      const before = left.slice(0, good);
      const expected = written.answers.length + good;
      if (good > 0 && (await this.#writeTogether(before, written, isOver)) !== null)
        await this.#writeApart(before, written, isOver);
      if (written.answers.length < expected) return;
      await this.#writeApart(left.slice(good, good + 1), written, isOver);
      left = left.slice(good + 1);
      if (left.length === 0 || isOver()) return;
      good = await this.#writeTogether(left, written, isOver);
    }
  }

  /**
   * In one transaction. Null when they are written, or as many as there was time for; otherwise
   * nothing is left of any, and it is told how many come before the one that failed with changes:
   * all of them where the commit was refused, and it is not known for whose sake.
   */
  async #writeTogether(
    jobs: readonly WriteJob[],
    written: Written,
    isOver: () => boolean,
  ): Promise<number | null> {
    // Alone it is nobody else's affair.
    if (jobs.length === 1) return 0;
    const outcomes: WriteOutcome[] = [];
    this.#connection.command("begin immediate");
    for (const job of jobs) {
      const outcome = await this.#runJob(job);
      if (!outcome.isDone && !outcome.isClean) {
        this.#rollBack();
        return outcomes.length;
      }
      outcomes.push(outcome);
      if (isOver()) break;
    }
    try {
      this.#commit(written, outcomes.length);
    } catch {
      // Whose fault it is shows when each is written for itself.
      return jobs.length;
    }
    for (const [n, job] of jobs.slice(0, outcomes.length).entries())
      recordOutcome(written, job, outcomes[n] as WriteOutcome);
    return null;
  }

  /** In a transaction each, so that what fails is one write's affair. */
  async #writeApart(
    jobs: readonly WriteJob[],
    written: Written,
    isOver: () => boolean,
  ): Promise<void> {
    for (const job of jobs) {
      this.#connection.command("begin immediate");
      recordOutcome(written, job, await this.#runAndCommit(job, written));
      if (isOver()) return;
    }
  }

  async #runAndCommit(job: WriteJob, written: Written): Promise<WriteOutcome> {
    const outcome = await this.#runJob(job);
    if (!outcome.isDone) {
      this.#rollBack();
      return outcome;
    }
    try {
      this.#commit(written, 1);
      return outcome;
    } catch (error) {
      return failedWrite(error);
    }
  }

  /** Throws what the database says against it; nothing is left then of what was to be committed. */
  #commit({ commits }: Written, writes: number): void {
    const started = performance.now();
    try {
      this.#beforeCommit.workOff();
      this.#connection.command("commit");
    } catch (error) {
      this.#rollBack();
      throw error;
    }
    commits.push({ writes, ms: performance.now() - started });
  }

  /**
   * The operating system forgets what it could not write, so a later sync that succeeds would prove
   * nothing.
   */
  #failFromNowOn(jobs: readonly WriteJob[], error: unknown): void {
    this.#failure = error;
    for (const job of jobs) job.reject(error);
  }

  async #runJob(job: WriteJob): Promise<WriteOutcome> {
    const topics: string[] = [];
    const tx = new SqliteTransaction(this.#connection, topics);
    const changesBefore = this.#connection.changes;
    try {
      const value = await this.#watched(job.work(tx));
      tx.assertSound();
      return { isDone: true, value, topics };
    } catch (error) {
      const isClean = tx.isSound && this.#connection.changes === changesBefore;
      return { isDone: false, error, isClean };
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

  #rollBack(): void {
    try {
      this.#connection.execute("rollback");
    } catch {
      // SQLite has rolled back by itself after the error that brought us here.
    }
  }
}

function timeForABatch(): () => boolean {
  const deadline = performance.now() + MAX_BATCH_MS;
  return () => performance.now() > deadline;
}

// The writer: the one connection that changes the file, and the queue in front of it.
//
// Every write that is waiting when the queue is looked at joins one transaction. One commit and one sync
// make all of them durable, and then all are answered. While a batch is worked on nothing else touches
// this connection, and a write awaits nothing but database work, which here is synchronous: a batch runs
// to its commit without the event loop turning. The sync runs beside the event loop, so reads go on
// meanwhile. They see what is committed, perhaps a moment before its author is told (longer where a batch is done again); whatever is written in
// consequence lies behind it in the log, so no effect outlives its cause.
//
// A write that fails must take back its own changes and no other's. Most have changed nothing when they
// fail. Where one has, or where the commit is refused, the batch is rolled back and done again with a
// transaction for each write, and still one sync for all. So a write may run twice, as it may after a
// collision on PostgreSQL. Savepoints would do it in one transaction, and copy every page that changes.

import { AppError } from "../../errors/app-error.ts";
import type { WriteStats } from "../database.ts";
import type { Nudges } from "../nudges.ts";
import { BeforeCommit } from "./before-commit.ts";
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

/** How a write went, before anything is known of its commit. */
type Outcome = Done | Failed;

interface Done {
  readonly isDone: true;
  readonly value: unknown;
  readonly topics: readonly string[];
}

interface Failed {
  readonly isDone: false;
  readonly error: unknown;
  /** Whether it has surely changed nothing: a statement that failed may have. */
  readonly isClean: boolean;
}

/** What is to be said, once it is on the disk, about the first writes of a batch. */
interface Written {
  readonly answers: (() => void)[];
  readonly topics: Set<string>;
  readonly commits: { readonly writes: number; readonly ms: number }[];
}

const nothingYet = (): Written => ({ answers: [], topics: new Set(), commits: [] });

export class GroupCommitWriter {
  readonly #connection: SqliteConnection;
  readonly #beforeCommit: BeforeCommit;
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
    let written: Written;
    try {
      const together = batch.length > 1 ? await this.#writeTogether(batch) : null;
      written = together ?? (await this.#writeApart(batch));
    } catch (error) {
      for (const job of batch) job.reject(error);
      return;
    }
    this.#waiting.unshift(...batch.splice(written.answers.length));
    const started = performance.now();
    try {
      await this.#options.durability.makeDurable();
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

  /** Null when a write failed with changes that cannot be taken back for themselves, or the commit was refused; nothing is left of any then. */
  async #writeTogether(batch: readonly Job[]): Promise<Written | null> {
    const written = nothingYet();
    this.#connection.command("begin immediate");
    const deadline = performance.now() + MAX_BATCH_MS;
    for (const job of batch) {
      const outcome = await this.#runJob(job);
      if (!outcome.isDone && !outcome.isClean) {
        this.#rollBack();
        return null;
      }
      note(written, job, outcome);
      if (performance.now() > deadline) break;
    }
    try {
      this.#commit(written, written.answers.length);
      return written;
    } catch {
      // Whose fault it is shows when each is written for itself.
      return null;
    }
  }

  /** Each for itself, so that what fails is one write's affair. */
  async #writeApart(batch: readonly Job[]): Promise<Written> {
    const written = nothingYet();
    const deadline = performance.now() + MAX_BATCH_MS;
    for (const job of batch) {
      try {
        this.#connection.command("begin immediate");
      } catch (error) {
        // Those before are written; those after would wait as long for the same.
        const rest = batch.slice(written.answers.length);
        for (const left of rest) note(written, left, failed(error));
        break;
      }
      note(written, job, await this.#runAndCommit(job, written));
      if (performance.now() > deadline) break;
    }
    return written;
  }

  async #runAndCommit(job: Job, written: Written): Promise<Outcome> {
    const outcome = await this.#runJob(job);
    if (!outcome.isDone) {
      this.#rollBack();
      return outcome;
    }
    try {
      this.#commit(written, 1);
      return outcome;
    } catch (error) {
      return failed(error);
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

  /** The operating system forgets what it could not write, so a later sync that succeeds would prove nothing. */
  #failFromNowOn(jobs: readonly Job[], error: unknown): void {
    this.#failure = error;
    for (const job of jobs) job.reject(error);
  }

  async #runJob(job: Job): Promise<Outcome> {
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

const failed = (error: unknown): Failed => ({ isDone: false, error, isClean: true });

function note({ answers, topics }: Written, job: Job, outcome: Outcome): void {
  if (!outcome.isDone) {
    answers.push(() => job.reject(outcome.error));
    return;
  }
  answers.push(() => job.resolve(outcome.value));
  for (const topic of outcome.topics) topics.add(topic);
}

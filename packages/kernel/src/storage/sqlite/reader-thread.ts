import { createRequire } from "node:module";
import { Worker } from "node:worker_threads";
import { AppError } from "../../errors/app-error.ts";
import type { SqlValue } from "./sqlite-connection.ts";
import { sqliteDialect } from "./sqlite-dialect.ts";
import { fromSqliteError } from "./sqlite-errors.ts";

export interface ReadJob {
  readonly sql: string;
  readonly values: readonly SqlValue[];
  readonly resolve: (row: unknown) => void;
  readonly reject: (error: unknown) => void;
}

type Answer =
  | { readonly row: unknown; readonly tookMs: number }
  | { readonly failure: { readonly message: string; readonly errcode: number | undefined } };

export interface ThreadEvents {
  readonly onAnswer: (job: ReadJob, tookMs: number) => void;
  /** It has nothing to do any more, maybe because it is no more. */
  readonly onFree: (isAlive: boolean) => void;
}

/** One thread with a connection of its own, which answers one query at a time. */
export class ReaderThread {
  readonly #worker: Worker;
  readonly #events: ThreadEvents;
  /**
   * How many queries it was sent and is not done with: beside the messages, to be waited for where
   * no message is heard any more.
   */
  readonly #unread = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  #job: ReadJob | null = null;
  #isClosing = false;

  constructor(file: string, events: ThreadEvents) {
    this.#events = events;
    // Source as text, because a thread cannot load the TypeScript that tests run from.
    const driver = createRequire(import.meta.url).resolve("@photostructure/sqlite");
    const workerData = { driver, file, flag: sqliteDialect.types.flag, unread: this.#unread };
    this.#worker = new Worker(WORKER, { eval: true, workerData });
    this.#worker.unref();
    this.#worker.on("message", (answer: Answer) => this.#end(answer));
    this.#worker.on("error", (error) => this.#fail(error));
    this.#worker.on("exit", () => this.#fail(closed()));
  }

  /** What it is busy with. */
  get job(): ReadJob | null {
    return this.#job;
  }

  run(job: ReadJob): void {
    this.#job = job;
    // The process lives for as long as somebody waits, and for no longer.
    this.#worker.ref();
    Atomics.add(this.#unread, 0, 1);
    this.#worker.postMessage([job.sql, job.values]);
  }

  /** Stands still until it is done with what it reads; false when that takes longer. */
  waitUntilDone(ms: number): boolean {
    const end = performance.now() + ms;
    for (let left = Atomics.load(this.#unread, 0); left > 0; left = Atomics.load(this.#unread, 0))
      if (Atomics.wait(this.#unread, 0, left, end - performance.now()) === "timed-out")
        return false;
    return true;
  }

  /**
   * Done when the thread has ended, after what it is busy with, for which nobody waits any more.
   * The driver cannot be interrupted, and a thread that is ended inside of it takes the process
   * with it.
   */
  async close(): Promise<void> {
    this.#isClosing = true;
    this.#job?.reject(closed());
    const ended = new Promise((resolve) => this.#worker.once("exit", resolve));
    this.#worker.ref();
    this.#worker.postMessage(null);
    await ended;
  }

  #end(answer: Answer): void {
    if (!this.#isClosing) this.#worker.unref();
    const job = this.#job;
    this.#job = null;
    if ("failure" in answer) job?.reject(errorFrom(answer.failure));
    else {
      job?.resolve(answer.row);
      if (job !== null) this.#events.onAnswer(job, answer.tookMs);
    }
    this.#events.onFree(true);
  }

  #fail(error: unknown): void {
    const job = this.#job;
    this.#job = null;
    job?.reject(fromSqliteError(error));
    this.#events.onFree(false);
  }
}

function errorFrom({ message, errcode }: { message: string; errcode: number | undefined }) {
  return fromSqliteError(Object.assign(new Error(message), { errcode }));
}

export const closed = (): AppError => new AppError("unavailable", "The database was closed");

const WORKER = `
const { parentPort, workerData } = require("node:worker_threads");
const { DatabaseSync } = require(workerData.driver);
const MOST_PREPARED = 100;
let db;
const known = new Map();
const open = () => {
  const opened = new DatabaseSync(workerData.file);
  opened.exec("pragma busy_timeout = 5000; pragma query_only = on; pragma temp_store = memory; pragma cache_size = -16384");
  return opened;
};
const prepared = (sql) => {
  const found = known.get(sql);
  if (found !== undefined) return found;
  if (known.size >= MOST_PREPARED) known.clear();
  const statement = db.prepare(sql);
  const flags = statement.columns().filter(({ type }) => type === workerData.flag);
  const fresh = { statement, flags: flags.map(({ name }) => name) };
  known.set(sql, fresh);
  return fresh;
};
parentPort.on("message", (asked) => {
  if (asked === null) {
    db?.close();
    parentPort.close();
    return;
  }
  const [sql, values] = asked;
  try {
    db ??= open();
    const begun = performance.now();
    const { statement, flags } = prepared(sql);
    const row = statement.get(...values);
    for (const name of flags) if (row !== undefined && row[name] !== null) row[name] = row[name] === 1;
    parentPort.postMessage({ row, tookMs: performance.now() - begun });
  } catch (error) {
    parentPort.postMessage({ failure: { message: String(error.message), errcode: error.errcode } });
  }
  setImmediate(done);
});
const done = () => {
  Atomics.sub(workerData.unread, 0, 1);
  Atomics.notify(workerData.unread, 0);
};
`;

// Moves what the write-ahead log holds into the database file, on a thread of its own.
//
// Inside `commit`, where SQLite would do it, the copying and its syncs would hold up the event
// loop. Most is copied while writes go on; only the last step, which starts the log afresh, needs
// the writer to stand still.

import { createRequire } from "node:module";
import { Worker } from "node:worker_threads";

/** What the thread is asked for: `copy` at any time, `restart` while nothing is written. */
export type CheckpointStep = "copy" | "restart";

export interface CheckpointOutcome {
  /** Something that is being read stood in the way of starting the log afresh. */
  readonly isBusy: boolean;
  /** How much the log holds then, and how much of that is not in the database file yet. */
  readonly bytes: number;
  readonly bytesLeft: number;
}

export class Checkpointer {
  readonly #file: string;
  #worker: Worker | undefined;

  constructor(file: string) {
    this.#file = file;
  }

  run(step: CheckpointStep): Promise<CheckpointOutcome> {
    const worker = (this.#worker ??= startWorker(this.#file));
    return new Promise((resolve, reject) => {
      const settle = (outcome: () => void) => {
        worker.off("message", onMessage).off("error", onError);
        outcome();
      };
      const onMessage = (outcome: CheckpointOutcome) => settle(() => resolve(outcome));
      const onError = (error: unknown) => {
        this.#worker = undefined;
        settle(() => reject(error));
      };
      worker.on("message", onMessage).on("error", onError);
      worker.postMessage(step);
    });
  }

  async close(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }
}

// Starting the log afresh writes and syncs its header with the first commit that follows. The
// thread makes that commit itself, a rewrite of a number nobody uses, so that the writer does not
// meet it. A read in the event loop is over in a moment; one that takes longer is not waited for,
// because the writer stands still meanwhile.
const WORKER = `
const { parentPort, workerData } = require("node:worker_threads");
const { DatabaseSync } = require(workerData.driver);
const db = new DatabaseSync(workerData.file);
db.exec("pragma busy_timeout = 10; pragma synchronous = normal; pragma wal_autocheckpoint = 0");
const copy = db.prepare("pragma wal_checkpoint(passive)");
const restart = db.prepare("pragma wal_checkpoint(truncate)");
const [{ page_size: pageSize }] = db.prepare("pragma page_size").all();
parentPort.on("message", (step) => {
  const [{ busy, log, checkpointed }] = step === "copy" ? copy.all() : restart.all();
  const isBusy = step === "restart" && busy !== 0;
  try {
    if (step === "restart" && !isBusy) db.exec("pragma user_version = 0");
  } catch {
    // Somebody else writes, and so makes that commit.
  }
  const bytes = Math.max(0, log) * pageSize;
  parentPort.postMessage({ isBusy, bytes, bytesLeft: bytes - Math.max(0, checkpointed) * pageSize });
});
`;

function startWorker(file: string): Worker {
  // Source as text, because a thread cannot load the TypeScript that tests run from.
  const driver = createRequire(import.meta.url).resolve("@photostructure/sqlite");
  const worker = new Worker(WORKER, { eval: true, workerData: { driver, file } });
  worker.unref();
  return worker;
}

// What the tasks of one flow run have finished, in a file of this machine: a buffer while the
// server is away, and what the server has, as far as this execution has loaded it.
//
// One line for each finished call, appended as it ends; a process that is killed loses at most half
// a line. A call is known by its place in the run (which task, called for which time, from where),
// and by its arguments: other arguments at the same place are another call. In memory there is only
// where each line stands.

import {
  closeSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  statSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { makePrivateFolder } from "@orchestrator/client/settings";
import type { ExecutorEvent, StoredJournalEntry } from "@orchestrator/contract";
import { nowMs } from "../time.ts";
import { type CallPlace, unpackValue } from "./values.ts";

const PRIVATE = 0o600;
const NEWLINE = 10;
const FOLDER = "journals";
const KEPT_MS = 30 * 24 * 3600 * 1000;

interface Line {
  readonly key: string;
  readonly args: string | null;
  readonly value: string;
  readonly event?: ExecutorEvent;
  readonly taskRunId?: string;
}

interface LinePlace {
  readonly args: string | null;
  /** Whether the server has it as well. */
  readonly isShared: boolean;
  readonly start: number;
  readonly length: number;
}

export interface FinishedCall {
  readonly value: unknown;
  /** The same as base64. */
  readonly packed: string;
  /** The report of the end; null where there is none, or the server has the result. */
  readonly event: ExecutorEvent | null;
  readonly isShared: boolean;
  /** Which task run made it, where the server says so: in a rerun one of another run. */
  readonly taskRunId: string | null;
}

type SharedResult = Omit<StoredJournalEntry, "finished">;

export class RunJournal {
  readonly #home: string;
  readonly #path: string;
  readonly #places = new Map<string, LinePlace>();
  #fd: number | null = null;
  #size = 0;

  private constructor(home: string, flowRunId: string) {
    this.#home = home;
    this.#path = join(home, FOLDER, `${flowRunId}.jsonl`);
  }

  /** Of a run that no execution of this machine has begun. */
  static create(home: string, flowRunId: string): RunJournal {
    return new RunJournal(home, flowRunId);
  }

  static open(home: string, flowRunId: string): RunJournal {
    const journal = new RunJournal(home, flowRunId);
    journal.#read();
    return journal;
  }

  find({ key, fingerprint }: CallPlace): FinishedCall | null {
    const place = this.#places.get(key);
    if (place === undefined || place.args !== fingerprint) return null;
    const bytes = Buffer.alloc(place.length);
    readSync(this.#open(), bytes, 0, place.length, place.start);
    const line = JSON.parse(bytes.toString("utf8")) as Line;
    const { value: packed, event = null, taskRunId = null } = line;
    const value = unpackValue(Buffer.from(packed, "base64"));
    return { value, packed, event, taskRunId, isShared: place.isShared };
  }

  /** Whether a call at this place has finished, whatever its arguments were. */
  has(key: string): boolean {
    return this.#places.has(key);
  }

  /** Appends a result that the server may not have. */
  finish({ key, fingerprint: args }: CallPlace, value: string, event: ExecutorEvent | null): void {
    this.#append({ key, args, value, ...(event !== null && { event }) }, false);
  }

  /** Appends a result that the server has: it counts, whatever this machine knew before. */
  share({ key, fingerprint, value, task_run_id }: SharedResult): void {
    const taskRunId = task_run_id === null ? {} : { taskRunId: task_run_id };
    this.#append({ key, args: fingerprint, value, ...taskRunId }, true);
  }

  #append(line: Line, isShared: boolean): void {
    const length = writeSync(this.#open(), `${JSON.stringify(line)}\n`);
    this.#places.set(line.key, { args: line.args, isShared, start: this.#size, length });
    this.#size += length;
  }

  /** The run has ended and goes on no more. */
  remove(): void {
    this.close();
    this.#places.clear();
    if (this.#size > 0) unlinkSync(this.#path);
    this.#size = 0;
  }

  close(): void {
    if (this.#fd !== null) closeSync(this.#fd);
    this.#fd = null;
  }

  #open(): number {
    if (this.#fd !== null) return this.#fd;
    makePrivateFolder(this.#home, FOLDER);
    this.#fd = openSync(this.#path, "a+", PRIVATE);
    return this.#fd;
  }

  #read(): void {
    const bytes = readIfThere(this.#path);
    this.#size = bytes.length;
    let start = 0;
    for (;;) {
      const end = bytes.indexOf(NEWLINE, start);
      if (end === -1) break;
      const line = parseLine(bytes.toString("utf8", start, end));
      if (line !== null)
        this.#places.set(line.key, {
          args: line.args,
          isShared: false,
          start,
          length: end - start,
        });
      start = end + 1;
    }
    // Half a line would spoil the next one.
    if (start < bytes.length) this.#size += writeSync(this.#open(), "\n");
  }
}

function readIfThere(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return Buffer.alloc(0);
    throw error;
  }
}

/** Null for the half of a line that a killed process has left. */
function parseLine(text: string): Line | null {
  try {
    return JSON.parse(text) as Line;
  } catch {
    return null; // the call it stood for is made again
  }
}

/** Journals of runs that nobody has tried again for a month. */
export function removeOldJournals(home: string): void {
  const folder = makePrivateFolder(home, FOLDER);
  const oldestMs = nowMs() - KEPT_MS;
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const touchedMs = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
    if (touchedMs !== undefined && touchedMs < oldestMs) unlinkSync(path);
  }
}

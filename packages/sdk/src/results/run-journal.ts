// What the tasks of one flow run have finished, so that a run that is tried again goes on behind the last of them.
//
// One line for each finished call, appended as it ends; a process that is killed loses at most half a line. A call is known by
// its place in the run (which task, called for which time, from where), and by its arguments: other arguments at the same
// place are another call. In memory there is only where each line stands.

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
import { nowMs } from "../time.ts";
import { packValue, unpackValue } from "./values.ts";

const PRIVATE = 0o600;
const NEWLINE = 10;
const KEPT_MS = 30 * 24 * 3600 * 1000;

interface Line {
  readonly key: string;
  readonly args: string | null;
  readonly value: string;
  readonly event?: object;
}

interface LinePlace {
  readonly args: string | null;
  readonly start: number;
  readonly length: number;
}

export interface FinishedCall {
  readonly value: unknown;
  /** What was told the server about the end; telling it again changes nothing there. */
  readonly event: object | null;
}

export interface CallPlace {
  readonly key: string;
  readonly fingerprint: string | null;
}

export class RunJournal {
  readonly #path: string;
  readonly #places = new Map<string, LinePlace>();
  #fd: number | null = null;
  #size = 0;

  private constructor(path: string) {
    this.#path = path;
  }

  static open(home: string, flowRunId: string): RunJournal {
    const folder = makePrivateFolder(home, "journals");
    const journal = new RunJournal(join(folder, `${flowRunId}.jsonl`));
    journal.#read();
    return journal;
  }

  find({ key, fingerprint }: CallPlace): FinishedCall | null {
    const place = this.#places.get(key);
    if (place === undefined || place.args !== fingerprint) return null;
    const bytes = Buffer.alloc(place.length);
    readSync(this.#open(), bytes, 0, place.length, place.start);
    const line = JSON.parse(bytes.toString("utf8")) as Line;
    return { value: unpackValue(Buffer.from(line.value, "base64")), event: line.event ?? null };
  }

  /** Says whether it could be written down: a value that cannot be kept is made anew next time. */
  finish({ key, fingerprint: args }: CallPlace, value: unknown, event?: object): boolean {
    const packed = packValue(value);
    if (packed === null) return false;
    const line: Line = {
      key,
      args,
      value: packed.toString("base64"),
      ...(event !== undefined && { event }),
    };
    const length = writeSync(this.#open(), `${JSON.stringify(line)}\n`);
    this.#places.set(key, { args, start: this.#size, length });
    this.#size += length;
    return true;
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
    this.#fd ??= openSync(this.#path, "a+", PRIVATE);
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
        this.#places.set(line.key, { args: line.args, start, length: end - start });
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
  const folder = join(home, "journals");
  const oldestMs = nowMs() - KEPT_MS;
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const touchedMs = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
    if (touchedMs !== undefined && touchedMs < oldestMs) unlinkSync(path);
  }
}

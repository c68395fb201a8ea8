// Lines in a file, first in first out. The file exists only while it holds something.

import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";

const NEWLINE = 10;
const PRIVATE = 0o600;
const PRIVATE_FOLDER = 0o700;

export class Spill {
  readonly #path: string;
  #fd: number | null = null;
  #size = 0;
  /** Up to here it was taken; up to `#settled` it was delivered as well. */
  #taken = 0;
  #settled = 0;

  constructor(path: string) {
    this.#path = path;
  }

  /** A file that another process left. */
  static open(path: string): Spill {
    const spill = new Spill(path);
    spill.#size = readFileSync(path).length;
    return spill;
  }

  isEmpty(): boolean {
    return this.#settled === this.#size;
  }

  append(items: readonly string[]): void {
    this.#size += writeSync(this.#open(), `${items.join("\n")}\n`);
  }

  /** Puts back in front what was taken or never written. */
  prepend(items: readonly string[]): void {
    const rest = this.#size > this.#taken ? readFileSync(this.#path).subarray(this.#taken) : "";
    this.close();
    mkdirSync(dirname(this.#path), { recursive: true, mode: PRIVATE_FOLDER });
    const text = Buffer.concat([Buffer.from(`${items.join("\n")}\n`), Buffer.from(rest)]);
    writeFileSync(`${this.#path}.new`, text, { mode: PRIVATE });
    renameSync(`${this.#path}.new`, this.#path);
    this.#size = text.length;
    this.#taken = 0;
    this.#settled = 0;
  }

  /** The next lines, which stay in the file until they are settled. */
  take(maxItems: number, maxBytes: number): string[] {
    const items: string[] = [];
    let length = Math.min(maxBytes, this.#size - this.#taken);
    let chunk = this.#read(length);
    // A line longer than what a batch usually holds is read whole.
    while (!chunk.includes(NEWLINE) && this.#taken + length < this.#size) {
      length = Math.min(length * 2, this.#size - this.#taken);
      chunk = this.#read(length);
    }
    let start = 0;
    while (items.length < maxItems) {
      const end = chunk.indexOf(NEWLINE, start);
      if (end === -1) break;
      items.push(chunk.toString("utf8", start, end));
      start = end + 1;
    }
    // What follows the last end of a line was cut off when its writer was killed.
    this.#taken = items.length === 0 ? this.#size : this.#taken + start;
    if (items.length === 0) this.settle();
    return items;
  }

  /** All that was taken is delivered. */
  settle(): void {
    this.#settled = this.#taken;
    if (this.#size === 0 || !this.isEmpty()) return;
    this.close();
    if (existsSync(this.#path)) unlinkSync(this.#path);
    this.#size = 0;
    this.#taken = 0;
    this.#settled = 0;
  }

  close(): void {
    if (this.#fd !== null) closeSync(this.#fd);
    this.#fd = null;
  }

  #read(length: number): Buffer {
    const chunk = Buffer.alloc(length);
    const count = readSync(this.#open(), chunk, 0, length, this.#taken);
    return chunk.subarray(0, count);
  }

  #open(): number {
    if (this.#fd !== null) return this.#fd;
    mkdirSync(dirname(this.#path), { recursive: true, mode: PRIVATE_FOLDER });
    this.#fd = openSync(this.#path, "a+", PRIVATE);
    return this.#fd;
  }
}

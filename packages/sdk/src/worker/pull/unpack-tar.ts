// The tar format as far as archives of code use it: ustar, with long names of GNU and pax.

import { createReadStream } from "node:fs";
import { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { archiveError, type Unpacking } from "./unpacking.ts";

const BLOCK = 512;
const MAX_HEADER_TEXT = 1_000_000;

export async function unpackTarGz(path: string, unpacking: Unpacking): Promise<void> {
  const file = createReadStream(path);
  const gunzip = createGunzip();
  file.on("error", (error) => gunzip.destroy(error));
  const bytes = new ByteReader(file.pipe(gunzip));
  try {
    await unpackEntries(bytes, unpacking);
  } finally {
    file.destroy();
    gunzip.destroy();
  }
}

interface LongNames {
  path?: string;
  linkpath?: string;
}

async function unpackEntries(bytes: ByteReader, unpacking: Unpacking): Promise<void> {
  let long: LongNames = {};
  for (;;) {
    const header = await bytes.read(BLOCK);
    if (header === null || header.every((byte) => byte === 0)) return;
    assertChecksum(header);
    const type = String.fromCharCode(header[156] ?? 0);
    const size = numberAt(header, 124, 12);
    const prefix = textAt(header, 257, 5) === "ustar" ? textAt(header, 345, 155) : "";
    const short = textAt(header, 0, 100);
    const name = long.path ?? (prefix === "" ? short : `${prefix}/${short}`);
    const target = long.linkpath ?? textAt(header, 157, 100);
    if (type === "x" || type === "L" || type === "K") {
      long = { ...long, ...longNames(type, await bytes.text(size)) };
      await bytes.skip(padding(size));
      continue;
    }
    long = {};
    if (type === "0" || type === "\0" || type === "7") {
      const mode = numberAt(header, 100, 8);
      await unpacking.addFile(name, mode, Readable.from(bytes.chunks(size), { objectMode: false }));
    } else if (type === "5") await unpacking.addFolder(name);
    else if (type === "2") unpacking.addLink(name, target);
    else if (type === "g") await bytes.skip(size);
    else throw archiveError(`the entry ${name} is neither file, folder nor symbolic link`);
    await bytes.skip(padding(type === "5" || type === "2" ? 0 : size));
  }
}

const padding = (size: number): number => (BLOCK - (size % BLOCK)) % BLOCK;

/** Of GNU, one name; of pax, records such as `20 path=long/name`. */
function longNames(type: string, text: string): LongNames {
  if (type === "L") return { path: text.replace(/\0.*$/s, "") };
  if (type === "K") return { linkpath: text.replace(/\0.*$/s, "") };
  const names: LongNames = {};
  for (const [, key, value] of text.matchAll(/^\d+ (path|linkpath)=(.*)$/gm))
    names[key as keyof LongNames] = value ?? "";
  return names;
}

function textAt(header: Buffer, at: number, length: number): string {
  const end = header.indexOf(0, at);
  return header.toString("utf8", at, end === -1 ? at + length : Math.min(end, at + length));
}

function numberAt(header: Buffer, at: number, length: number): number {
  if (((header[at] ?? 0) & 0x80) !== 0) throw archiveError("it has an entry that is too large");
  const text = textAt(header, at, length).trim();
  const value = text === "" ? 0 : Number.parseInt(text, 8);
  if (!Number.isSafeInteger(value)) throw archiveError("it is no tar archive");
  return value;
}

function assertChecksum(header: Buffer): void {
  const stated = numberAt(header, 148, 8);
  const sum = header.reduce((total, byte, i) => total + (i >= 148 && i < 156 ? 32 : byte), 0);
  if (sum !== stated) throw archiveError("it is no tar archive");
}

/** Reads a stream in pieces of a chosen size. */
class ByteReader {
  readonly #source: AsyncIterator<Buffer>;
  #rest = Buffer.alloc(0);

  constructor(stream: Readable) {
    this.#source = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  }

  /** Null at the end of the stream. */
  async read(length: number): Promise<Buffer | null> {
    const parts: Buffer[] = [];
    for await (const chunk of this.chunks(length)) parts.push(chunk);
    const all = Buffer.concat(parts);
    return all.length === length ? all : null;
  }

  async text(length: number): Promise<string> {
    if (length > MAX_HEADER_TEXT) throw archiveError("it has a name that is too long");
    return (await this.read(length))?.toString("utf8") ?? "";
  }

  async skip(length: number): Promise<void> {
    for await (const _ of this.chunks(length));
  }

  async *chunks(length: number): AsyncGenerator<Buffer> {
    let left = length;
    while (left > 0) {
      if (this.#rest.length === 0) {
        const next = await this.#source.next();
        if (next.done === true) return;
        this.#rest = next.value as Buffer<ArrayBuffer>;
      }
      const chunk = this.#rest.subarray(0, left);
      this.#rest = this.#rest.subarray(chunk.length);
      left -= chunk.length;
      yield chunk;
    }
  }
}

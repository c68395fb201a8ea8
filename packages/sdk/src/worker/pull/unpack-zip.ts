// The zip format as far as archives of code use it: stored and deflated entries, not encrypted.

import { createReadStream } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { Readable } from "node:stream";
import { createInflateRaw } from "node:zlib";
import { archiveError, type Unpacking } from "./unpacking.ts";

const END_SIGNATURE = 0x06054b50;
const ENTRY_SIGNATURE = 0x02014b50;
const LOCAL_SIGNATURE = 0x04034b50;
const END_LENGTH = 22;
const MAX_COMMENT = 65_535;
const ENTRY_LENGTH = 46;
const LOCAL_LENGTH = 30;
const MAX_DIRECTORY = 64 * 1024 ** 2;
const MAX_LINK = 4096;
const STORED = 0;
const DEFLATED = 8;
const FILE_TYPE = 0o170000;
const LINK = 0o120000;
const NEEDS_ZIP64 = 0xffffffff;

interface ZipEntry {
  readonly name: string;
  readonly method: number;
  readonly isEncrypted: boolean;
  readonly packed: number;
  readonly mode: number;
  readonly offset: number;
}

export async function unpackZip(path: string, unpacking: Unpacking): Promise<void> {
  const file = await open(path);
  try {
    for (const entry of await readDirectory(file))
      await unpackEntry({ file, path }, entry, unpacking);
  } finally {
    await file.close();
  }
}

async function readDirectory(file: FileHandle): Promise<ZipEntry[]> {
  const { size } = await file.stat();
  const tailLength = Math.min(size, END_LENGTH + MAX_COMMENT);
  const tail = await readAt(file, size - tailLength, tailLength);
  let end = tail.length - END_LENGTH;
  while (end >= 0 && tail.readUInt32LE(end) !== END_SIGNATURE) end -= 1;
  if (end < 0) throw archiveError("it is no zip archive");
  const [length, offset] = [tail.readUInt32LE(end + 12), tail.readUInt32LE(end + 16)];
  if (offset === NEEDS_ZIP64 || length > MAX_DIRECTORY) throw archiveError("it is too large");
  const directory = await readAt(file, offset, length);
  const entries: ZipEntry[] = [];
  for (let at = 0; at + ENTRY_LENGTH <= directory.length; ) {
    if (directory.readUInt32LE(at) !== ENTRY_SIGNATURE) throw archiveError("it is damaged");
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((field) =>
      directory.readUInt16LE(at + field),
    ) as [number, number, number];
    const first = at + ENTRY_LENGTH;
    entries.push({
      name: directory.toString("utf8", first, first + nameLength),
      method: directory.readUInt16LE(at + 10),
      isEncrypted: (directory.readUInt16LE(at + 8) & 1) !== 0,
      packed: directory.readUInt32LE(at + 20),
      mode: directory.readUInt32LE(at + 38) >>> 16,
      offset: directory.readUInt32LE(at + 42),
    });
    at = first + nameLength + extraLength + commentLength;
  }
  return entries;
}

async function unpackEntry(
  { file, path }: { readonly file: FileHandle; readonly path: string },
  { name, method, isEncrypted, packed, mode, offset }: ZipEntry,
  unpacking: Unpacking,
): Promise<void> {
  if (name.endsWith("/")) return unpacking.addFolder(name);
  const isKnown = method === STORED || method === DEFLATED;
  if (isEncrypted || !isKnown || packed === NEEDS_ZIP64)
    throw archiveError(`the entry ${name} is encrypted, too large or packed in an unusual way`);
  const local = await readAt(file, offset, LOCAL_LENGTH);
  if (local.readUInt32LE(0) !== LOCAL_SIGNATURE) throw archiveError("it is damaged");
  const start = offset + LOCAL_LENGTH + local.readUInt16LE(26) + local.readUInt16LE(28);
  const raw =
    packed === 0 ? Readable.from([]) : createReadStream(path, { start, end: start + packed - 1 });
  const content = method === STORED ? raw : inflated(raw);
  if ((mode & FILE_TYPE) !== LINK) return unpacking.addFile(name, mode, content);
  const target: Buffer[] = [];
  for await (const chunk of content) target.push(chunk as Buffer);
  unpacking.addLink(name, Buffer.concat(target).toString("utf8").slice(0, MAX_LINK));
}

function inflated(raw: Readable): Readable {
  const inflate = createInflateRaw();
  raw.on("error", (error) => inflate.destroy(error));
  return raw.pipe(inflate);
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  const { bytesRead } = await file.read(buffer, 0, length, position);
  if (bytesRead < length) throw archiveError("it is damaged");
  return buffer;
}

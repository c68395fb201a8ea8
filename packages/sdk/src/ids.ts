import { createHash, randomFillSync } from "node:crypto";
import { machineMs } from "./time.ts";

const POOL_IDS = 256;
const ID_BYTES = 16;
const MAX_SEQUENCE = 0xfff;

const pool = Buffer.alloc(POOL_IDS * ID_BYTES);
let used = pool.length;
let lastMs = 0;
let sequence = 0;

/** An id that sorts by when it was made, also within one millisecond. */
export function newId(): string {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const bytes = pool.subarray(used, used + ID_BYTES);
  used += ID_BYTES;
  const now = machineMs();
  if (now > lastMs) {
    lastMs = now;
    sequence = 0;
  } else if (sequence === MAX_SEQUENCE) {
    lastMs += 1;
    sequence = 0;
  } else sequence += 1;
  bytes.writeUIntBE(lastMs, 0, 6);
  bytes.writeUInt16BE(0x7000 | sequence, 6);
  return formatId(bytes);
}

/** The same id for the same name, everywhere and always. */
export function idFor(name: string): string {
  const bytes = createHash("sha1").update(name).digest();
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6);
  return formatId(bytes);
}

function formatId(bytes: Buffer): string {
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString("hex", 0, ID_BYTES);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

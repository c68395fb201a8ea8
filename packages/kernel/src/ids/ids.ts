import { randomBytes, randomUUID } from "node:crypto";
import type { Clock } from "../clock/clock.ts";

/** Where identifiers come from: random ones, and ones that sort by the time they were made. */
export interface Ids {
  readonly uuid4: () => string;
  readonly uuid7: () => string;
}

const POOL_BYTES = 4096;

export function systemIds(clock: Clock): Ids {
  let pool = Buffer.alloc(0);
  let offset = 0;
  let lastMs = 0;
  let sequence = 0;

  const randomChunk = (length: number): Buffer => {
    if (offset + length > pool.length) {
      pool = randomBytes(POOL_BYTES);
      offset = 0;
    }
    offset += length;
    return pool.subarray(offset - length, offset);
  };

  /** Within one millisecond a counter keeps the order; when it overflows the next millisecond is borrowed. */
  const uuid7 = (): string => {
    const nowMs = Math.floor(clock.nowMicros() / 1000);
    if (nowMs > lastMs) {
      lastMs = nowMs;
      sequence = randomChunk(1).readUInt8(0);
    } else {
      sequence += 1;
      if (sequence > 0xfff) {
        lastMs += 1;
        sequence = 0;
      }
    }
    const time = lastMs.toString(16).padStart(12, "0");
    const random = randomChunk(8);
    random[0] = ((random[0] ?? 0) & 0x3f) | 0x80;
    const tail = random.toString("hex");
    const counter = sequence.toString(16).padStart(3, "0");
    return `${time.slice(0, 8)}-${time.slice(8)}-7${counter}-${tail.slice(0, 4)}-${tail.slice(4)}`;
  };

  return { uuid4: () => randomUUID(), uuid7 };
}

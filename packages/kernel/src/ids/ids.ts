import { randomBytes, randomUUID } from "node:crypto";
import type { Clock } from "../clock/clock.ts";

/** Where identifiers come from: random ones, and ones that sort by the time they were made. */
export interface Ids {
  readonly uuid4: () => string;
  readonly uuid7: () => string;
}

const POOL_BYTES = 4096;
const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));
const hex = (byte: number): string => HEX[byte] ?? "";

export function systemIds(clock: Clock): Ids {
  let pool = Buffer.alloc(0);
  let offset = 0;
  let lastMs = -1;
  /** The time as it stands in the ids of a millisecond. */
  let time = "";
  let sequence = 0;

  const nextByte = (): number => {
    if (offset === pool.length) {
      pool = randomBytes(POOL_BYTES);
      offset = 0;
    }
    const byte = pool[offset] ?? 0;
    offset += 1;
    return byte;
  };
  const nextHex = (): string => hex(nextByte());

  const beginMs = (ms: number, first: number): void => {
    lastMs = ms;
    sequence = first;
    const digits = ms.toString(16).padStart(12, "0");
    time = `${digits.slice(0, 8)}-${digits.slice(8)}-7`;
  };

  /**
   * Within one millisecond a counter keeps the order; when it overflows the next millisecond is
   * borrowed.
   */
  const uuid7 = (): string => {
    const nowMs = Math.max(0, Math.floor(clock.nowMicros() / 1000));
    if (nowMs > lastMs) beginMs(nowMs, nextByte());
    else if (sequence < 0xfff) sequence += 1;
    else beginMs(lastMs + 1, 0);
    const counter = (sequence >> 8).toString(16) + hex(sequence & 0xff);
    const variant = hex((nextByte() & 0x3f) | 0x80) + nextHex();
    const tail = nextHex() + nextHex() + nextHex() + nextHex() + nextHex() + nextHex();
    return `${time}${counter}-${variant}-${tail}`;
  };

  return { uuid4: () => randomUUID(), uuid7 };
}

// The frames of a websocket as a client writes and reads them (RFC 6455, section 5). No extension is offered, so
// none of the reserved bits may be set.

import { randomBytes } from "node:crypto";

export const OPCODE = { more: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

export interface Frame {
  readonly isLast: boolean;
  readonly opcode: number;
  readonly data: Buffer;
}

/** The peer does not keep to the protocol; the number is what it is told. */
export class ProtocolError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

const SHORT = 125;
const TWO_BYTES = 126;
const EIGHT_BYTES = 127;
const MASK_BYTES = 4;

/** A whole message or a control frame, masked as those of clients must be. */
export function encodeFrame(opcode: number, data: Buffer): Buffer {
  const { length } = data;
  const extended = length <= SHORT ? 0 : length <= 0xffff ? 2 : 8;
  const header = Buffer.alloc(2 + extended);
  header[0] = 0x80 | opcode;
  header[1] = 0x80 | (extended === 0 ? length : extended === 2 ? TWO_BYTES : EIGHT_BYTES);
  if (extended === 2) header.writeUInt16BE(length, 2);
  if (extended === 8) header.writeBigUInt64BE(BigInt(length), 2);
  const mask = randomBytes(MASK_BYTES);
  const masked = Buffer.allocUnsafe(length);
  for (let i = 0; i < length; i += 1) masked[i] = (data[i] ?? 0) ^ (mask[i & 3] ?? 0);
  return Buffer.concat([header, mask, masked]);
}

/** Makes frames of what arrives, however it is cut into pieces. */
export class FrameReader {
  readonly #maxBytes: number;
  #pieces: Buffer[] = [];
  #size = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  push(piece: Buffer): void {
    this.#pieces.push(piece);
    this.#size += piece.length;
  }

  /** The next frame that is complete; null when there is none. */
  next(): Frame | null {
    if (this.#size < 2) return null;
    // Enough to hold the longest header.
    const head = this.#peek(Math.min(this.#size, 10));
    const [first = 0, second = 0] = head;
    if ((first & 0x70) !== 0) throw new ProtocolError(1002, "A reserved bit is set");
    if ((second & 0x80) !== 0) throw new ProtocolError(1002, "A frame of the server is masked");
    const short = second & 0x7f;
    const headerBytes = short <= SHORT ? 2 : short === TWO_BYTES ? 4 : 10;
    if (head.length < headerBytes) return null;
    const length = lengthOf(head, short);
    if (length > this.#maxBytes) throw new ProtocolError(1009, "A message is too long");
    if (this.#size < headerBytes + length) return null;
    const isLast = (first & 0x80) !== 0;
    const opcode = first & 0x0f;
    if (opcode >= OPCODE.close && (!isLast || length > SHORT)) {
      throw new ProtocolError(1002, "A control frame is too long or in pieces");
    }
    return { isLast, opcode, data: this.#take(headerBytes + length).subarray(headerBytes) };
  }

  #peek(count: number): Buffer {
    const [first] = this.#pieces;
    if (first !== undefined && first.length >= count) return first.subarray(0, count);
    return this.#join().subarray(0, count);
  }

  #take(count: number): Buffer {
    const whole = this.#join();
    const rest = whole.subarray(count);
    this.#pieces = rest.length === 0 ? [] : [rest];
    this.#size = rest.length;
    return whole.subarray(0, count);
  }

  #join(): Buffer {
    const [first] = this.#pieces;
    if (this.#pieces.length === 1 && first !== undefined) return first;
    const whole = Buffer.concat(this.#pieces);
    this.#pieces = [whole];
    return whole;
  }
}

function lengthOf(head: Buffer, short: number): number {
  if (short <= SHORT) return short;
  if (short === TWO_BYTES) return head.readUInt16BE(2);
  const length = head.readBigUInt64BE(2);
  return length > BigInt(Number.MAX_SAFE_INTEGER) ? Number.POSITIVE_INFINITY : Number(length);
}

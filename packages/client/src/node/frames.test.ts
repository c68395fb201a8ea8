import { describe, expect, test } from "vitest";
import { encodeFrame, FrameReader, OPCODE } from "./frames.ts";

/** As a server writes it: without a mask. */
function plain(opcode: number, data: Buffer, isLast = true): Buffer {
  const { length } = data;
  const header = Buffer.alloc(length < 126 ? 2 : length < 65_536 ? 4 : 10);
  header[0] = (isLast ? 0x80 : 0) | opcode;
  header[1] = length < 126 ? length : length < 65_536 ? 126 : 127;
  if (header.length === 4) header.writeUInt16BE(length, 2);
  if (header.length === 10) header.writeBigUInt64BE(BigInt(length), 2);
  return Buffer.concat([header, data]);
}

function unmasked(frame: Buffer): Buffer {
  const second = frame[1] ?? 0;
  expect(second & 0x80).toBe(0x80);
  const at = (second & 0x7f) < 126 ? 2 : (second & 0x7f) === 126 ? 4 : 10;
  const mask = frame.subarray(at, at + 4);
  return frame.subarray(at + 4).map((byte, i) => byte ^ (mask[i % 4] ?? 0)) as Buffer;
}

const LENGTHS = [0, 1, 125, 126, 127, 65_535, 65_536, 100_000];

describe("frames", () => {
  test.each(LENGTHS)("of %i bytes are written masked and hold what was given", (length) => {
    const data = Buffer.alloc(length, "ab€");
    const frame = encodeFrame(OPCODE.text, data);
    expect(frame[0]).toBe(0x81);
    expect(Buffer.from(unmasked(frame)).equals(data)).toBe(true);
  });

  test.each(LENGTHS)("of %i bytes are read", (length) => {
    const data = Buffer.alloc(length, "x");
    const reader = new FrameReader(1_000_000);
    reader.push(plain(OPCODE.text, data));
    const frame = reader.next();
    expect(frame).toMatchObject({ isLast: true, opcode: OPCODE.text });
    expect(frame?.data.equals(data)).toBe(true);
    expect(reader.next()).toBeNull();
  });

  test("are read however they are cut into pieces", () => {
    const bytes = Buffer.concat([
      plain(OPCODE.text, Buffer.alloc(300, "a"), false),
      plain(OPCODE.ping, Buffer.from("p")),
      plain(OPCODE.more, Buffer.from("b")),
    ]);
    for (const size of [1, 2, 3, 5, 7, 299, bytes.length]) {
      const reader = new FrameReader(1000);
      const lengths: number[] = [];
      for (let at = 0; at < bytes.length; at += size) {
        reader.push(bytes.subarray(at, at + size));
        for (let frame = reader.next(); frame !== null; frame = reader.next()) {
          lengths.push(frame.data.length);
        }
      }
      expect({ size, lengths }).toEqual({ size, lengths: [300, 1, 1] });
    }
  });

  test.each([
    ["is too long", plain(OPCODE.text, Buffer.alloc(1001)), 1009],
    ["is masked", encodeFrame(OPCODE.text, Buffer.from("x")), 1002],
    ["has a reserved bit", Buffer.from([0xc1, 0x00]), 1002],
    ["is a control frame in pieces", Buffer.from([0x09, 0x00]), 1002],
    ["is a control frame of many bytes", plain(OPCODE.ping, Buffer.alloc(126)), 1002],
  ])("are refused when one %s", (_what, bytes, code) => {
    const reader = new FrameReader(1000);
    reader.push(bytes);
    expect(() => reader.next()).toThrow(expect.objectContaining({ code }));
  });
});

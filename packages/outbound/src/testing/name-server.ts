// A name server that knows what a test tells it.

import { createSocket } from "node:dgram";
import { parseAddress } from "../ip-address.ts";

export interface NameServer extends AsyncDisposable {
  /** `address:port`. */
  readonly address: string;
  /** What was asked, such as `A shop.example`. */
  readonly questions: string[];
}

/** The records at a question; null for a name that does not exist, nothing at all for no answer. */
export type Answering = (question: string, count: number) => readonly string[] | null | undefined;

const TYPES: Readonly<Record<number, string>> = {
  1: "A",
  2: "NS",
  5: "CNAME",
  6: "SOA",
  12: "PTR",
  15: "MX",
  16: "TXT",
  28: "AAAA",
  33: "SRV",
  257: "CAA",
};

export async function startNameServer(answering: Answering): Promise<NameServer> {
  const questions: string[] = [];
  const socket = createSocket("udp4");
  socket.on("message", (message, peer) => {
    const { name, type, end } = questionOf(message);
    const question = `${TYPES[type] ?? type} ${name}`;
    questions.push(question);
    const records = answering(question, questions.length);
    if (records === undefined) return;
    const head = Buffer.from(message.subarray(0, 12));
    head.writeUInt16BE(records === null ? 0x8183 : 0x8180, 2);
    head.writeUInt16BE(records?.length ?? 0, 6);
    head.writeUInt32BE(0, 8);
    const answers = (records ?? []).map((record) => recordOf(type, record));
    socket.send(
      Buffer.concat([head, message.subarray(12, end), ...answers]),
      peer.port,
      peer.address,
    );
  });
  await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve));
  return {
    address: `127.0.0.1:${socket.address().port}`,
    questions,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => socket.close(() => resolve())),
  };
}

function questionOf(message: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString("latin1", at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join("."), type: message.readUInt16BE(at + 1), end: at + 5 };
}

function recordOf(type: number, text: string): Buffer {
  const data = dataOf(TYPES[type] ?? "", text);
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xc00c, 0);
  head.writeUInt16BE(type, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt32BE(60, 6);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}

function dataOf(type: string, text: string): Buffer {
  const words = text.split(" ");
  const numbers = (count: number): Buffer => {
    const data = Buffer.alloc(2 * count);
    for (let i = 0; i < count; i++) data.writeUInt16BE(Number(words[i]), 2 * i);
    return data;
  };
  switch (type) {
    case "A":
      return bytes(text, 4);
    case "AAAA":
      return bytes(text, 16);
    case "MX":
      return Buffer.concat([numbers(1), nameOf(words[1] ?? "")]);
    case "SRV":
      return Buffer.concat([numbers(3), nameOf(words[3] ?? "")]);
    case "TXT":
      return Buffer.concat([Buffer.of(text.length), Buffer.from(text)]);
    default:
      return nameOf(text);
  }
}

function bytes(address: string, count: number): Buffer {
  const value = parseAddress(address)?.value ?? 0n;
  return Buffer.from(value.toString(16).padStart(2 * count, "0"), "hex");
}

const nameOf = (name: string): Buffer =>
  Buffer.concat([
    ...name.split(".").map((label) => Buffer.from(`${String.fromCharCode(label.length)}${label}`)),
    Buffer.of(0),
  ]);

// A websocket for Node, whose own one came with version 22. Beyond what pages may do it pings, pauses and sends headers.

import type { ClientRequest } from "node:http";
import type { Duplex } from "node:stream";
import { encodeFrame, type Frame, FrameReader, OPCODE, ProtocolError } from "./frames.ts";
import { requestUpgrade } from "./upgrade.ts";

const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;
const CLOSE_MS = 3000;
/** The server asks for a sign of life more often than this; one that does not is gone. */
const SILENCE_MS = 90_000;
/** What the end is called when nobody said why. */
const NO_CLOSE_FRAME = 1006;
const NO_CODE = 1005;
const EMPTY = Buffer.alloc(0);

type Handler<Event> = ((event: Event) => void) | null;

interface PendingPing {
  readonly count: number;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

export class NodeWebSocket {
  /** A ping is answered when the server has dealt with all that was sent before, where it promises that. */
  readonly confirmsByPong = true;
  onopen: Handler<object> = null;
  onmessage: Handler<{ readonly data: string }> = null;
  onclose: Handler<{ readonly code: number; readonly reason: string }> = null;
  onerror: Handler<{ readonly error: unknown }> = null;

  readonly #request: ClientRequest;
  readonly #reader = new FrameReader(MAX_MESSAGE_BYTES);
  #socket: Duplex | null = null;
  /** The pieces of a message that is not complete. */
  #pieces: Buffer[] = [];
  #pings: PendingPing[] = [];
  #pingCount = 0;
  #isPaused = false;
  #isClosing = false;
  #isEnded = false;
  #end = { code: NO_CLOSE_FRAME, reason: "" };
  #timer: NodeJS.Timeout | undefined;

  constructor(
    url: string,
    protocols: readonly string[],
    { headers = {} }: { readonly headers?: Readonly<Record<string, string>> } = {},
  ) {
    this.#request = requestUpgrade(
      url,
      { protocols, headers },
      {
        opened: (socket, head) => this.#open(socket, head),
        failed: (error) => this.#fail(error),
      },
    );
  }

  get bufferedAmount(): number {
    return this.#socket?.writableLength ?? 0;
  }

  send(text: string): void {
    this.#write(OPCODE.text, Buffer.from(text));
  }

  /** Resolves with the answer; rejects when there will be none. */
  ping(): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#isEnded || this.#socket === null) {
        reject(new Error("The connection has ended"));
        return;
      }
      this.#pingCount += 1;
      this.#pings.push({ count: this.#pingCount, resolve, reject });
      this.#write(OPCODE.ping, Buffer.from(String(this.#pingCount)));
    });
  }

  pause(): void {
    this.#isPaused = true;
    this.#socket?.pause();
  }

  resume(): void {
    this.#isPaused = false;
    this.#listen();
    this.#read(EMPTY);
    if (!this.#isPaused) this.#socket?.resume();
  }

  close(code = 1000, reason = ""): void {
    if (this.#isEnded || this.#isClosing) return;
    this.#isClosing = true;
    if (this.#socket === null) {
      this.#request.destroy();
      this.#finish();
      return;
    }
    const data = Buffer.alloc(2 + Buffer.byteLength(reason));
    data.writeUInt16BE(code, 0);
    data.write(reason, 2);
    this.#write(OPCODE.close, data);
    // Nobody takes messages any more; only the answer is waited for.
    this.#isPaused = false;
    this.#socket.resume();
    this.#within(CLOSE_MS);
  }

  #open(socket: Duplex, head: Buffer): void {
    if (this.#isEnded) {
      socket.destroy();
      return;
    }
    this.#socket = socket;
    socket.on("data", (piece: Buffer) => {
      this.#listen();
      this.#read(piece);
    });
    // What went wrong shows in the close that follows.
    socket.on("error", () => {});
    socket.once("end", () => socket.end());
    socket.once("close", () => this.#finish());
    this.#listen();
    this.onopen?.({});
    this.#read(head);
  }

  #fail(error: unknown): void {
    if (this.#isEnded) return;
    this.onerror?.({ error });
    this.#finish();
  }

  #finish(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    clearTimeout(this.#timer);
    for (const { reject } of this.#pings) reject(new Error("The connection has ended"));
    this.#pings = [];
    this.onclose?.(this.#end);
  }

  #write(opcode: number, data: Buffer): void {
    if (!this.#isEnded) this.#socket?.write(encodeFrame(opcode, data));
  }

  /** Whoever holds back what is said cannot expect to hear more. */
  #listen(): void {
    if (this.#isClosing) return;
    clearTimeout(this.#timer);
    if (!this.#isPaused) this.#within(SILENCE_MS);
  }

  #within(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#socket?.destroy(), ms);
    this.#timer.unref();
  }

  #read(piece: Buffer): void {
    this.#reader.push(piece);
    try {
      while (!this.#isPaused && !this.#isEnded) {
        const frame = this.#reader.next();
        if (frame === null) return;
        this.#take(frame);
      }
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      this.#end = { code: error.code, reason: error.message };
      this.close(error.code, error.message);
      this.#socket?.destroy();
    }
  }

  #take({ opcode, isLast, data }: Frame): void {
    switch (opcode) {
      case OPCODE.ping:
        this.#write(OPCODE.pong, data);
        return;
      case OPCODE.pong:
        this.#takePong(Number(data.toString()));
        return;
      case OPCODE.close:
        this.#takeClose(data);
        return;
      case OPCODE.text:
      case OPCODE.more:
        this.#takePiece(opcode === OPCODE.text, isLast, data);
        return;
      default:
        throw new ProtocolError(1003, "Only text is taken");
    }
  }

  #takePiece(isFirst: boolean, isLast: boolean, data: Buffer): void {
    if (isFirst === this.#pieces.length > 0) throw new ProtocolError(1002, "Pieces are mixed up");
    this.#pieces.push(data);
    const size = this.#pieces.reduce((sum, { length }) => sum + length, 0);
    if (size > MAX_MESSAGE_BYTES) throw new ProtocolError(1009, "A message is too long");
    if (!isLast) return;
    const message = Buffer.concat(this.#pieces).toString();
    this.#pieces = [];
    if (!this.#isClosing) this.onmessage?.({ data: message });
  }

  /** One answer may stand for several questions. */
  #takePong(count: number): void {
    const answered = this.#pings.filter((ping) => ping.count <= count);
    this.#pings = this.#pings.filter((ping) => ping.count > count);
    for (const { resolve } of answered) resolve();
  }

  #takeClose(data: Buffer): void {
    const code = data.length >= 2 ? data.readUInt16BE(0) : NO_CODE;
    this.#end = { code, reason: data.subarray(2).toString() };
    if (!this.#isClosing) this.#write(OPCODE.close, data.subarray(0, 2));
    this.#isClosing = true;
    this.#socket?.end();
    this.#within(CLOSE_MS);
  }
}

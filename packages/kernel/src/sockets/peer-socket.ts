import type { Socket } from "node:net";
import type { WebSocket } from "ws";
import { sleep } from "../clock/clock.ts";
import { CLOSE, shortReason } from "./close-codes.ts";
import type { SocketLimits } from "./socket-limits.ts";

/**
 * A connection as its handler sees it: one reader asks for messages one after another; what is not
 * asked for waits.
 */
export interface ServerSocket {
  /** Fires when the peer is gone, is being let go, or the server stops. */
  readonly signal: AbortSignal;
  /** The server stops: there may be messages of the peer that will not be read. */
  readonly isStopping: boolean;
  /**
   * The next message; null when there will be none. What was received before the end is still
   * handed out.
   */
  readonly receive: () => Promise<Buffer | null>;
  /**
   * What has arrived, at least one and at most so many. Coming back means that what was handed out
   * is dealt with.
   */
  readonly receiveMany: (most: number) => Promise<Buffer[] | null>;
  /**
   * The first thing the peer has to say. If nothing comes in time it is let go, with this code and
   * reason.
   */
  readonly receiveFirst: (code: number, reason: string) => Promise<Buffer | null>;
  /**
   * Resolves when there is room for more. Whoever does not wait for that and piles up too much
   * loses the peer.
   */
  readonly send: (text: string) => Promise<void>;
  readonly close: (code: number, reason: string) => void;
}

interface PendingPing {
  readonly data: Buffer;
  /** How many messages had arrived before it. */
  readonly after: number;
}

const MAX_PENDING_PINGS = 16;
/** Less than this on its way out is no reason to wait. */
const ROOM_BYTES = 256 * 1024;
/** What a control frame of a client takes besides its data. */
const CONTROL_FRAME_BYTES = 6;
const SLOW = "The client reads too slowly: connect again to go on";

export interface PeerOptions {
  /** What the websocket runs over. */
  readonly connection: Pick<Socket, "bytesRead">;
  /** Hears of every message on its way out. */
  readonly onSend: (bytes: number) => void;
  readonly limits: SocketLimits;
  /**
   * Whether a ping is answered only when all that was received before it has been dealt with, so
   * that the answer confirms delivery; otherwise it is answered at once.
   */
  readonly confirmsByPong: boolean;
}

interface Bounded {
  readonly _receiver?: { _maxPayload: number };
}

export class PeerSocket implements ServerSocket {
  readonly #ws: WebSocket;
  readonly #options: PeerOptions;
  readonly #gone = new AbortController();
  #unread: Buffer[] = [];
  #unreadBytes = 0;
  #pings: PendingPing[] = [];
  #isPongUnderWay = false;
  /**
   * How many bytes had been read when the last message was complete, and of control frames since.
   */
  #readBefore: number;
  #arrived = 0;
  #handedOut = 0;
  #dealtWith = 0;
  #isEnding = false;
  #isStopping = false;
  #isAlive = true;
  #wake: (() => void) | null = null;

  constructor(ws: WebSocket, options: PeerOptions) {
    this.#ws = ws;
    this.#options = options;
    this.#readBefore = options.connection.bytesRead;
    ws.on("message", (data) => this.#take(data as Buffer));
    ws.on("ping", (data) => this.#takePing(data));
    ws.on("pong", ({ length }) => {
      this.#isAlive = true;
      this.#readBefore += CONTROL_FRAME_BYTES + length;
    });
    // What went wrong is in the close that follows.
    ws.on("error", () => {});
    ws.once("close", () => this.#end());
  }

  get signal(): AbortSignal {
    return this.#gone.signal;
  }

  get isStopping(): boolean {
    return this.#isStopping;
  }

  /** What is held for the peer: messages that are unfinished, unread and unsent. */
  get heldBytes(): number {
    const ws = this.#ws;
    if (ws.readyState === ws.CLOSED) return this.#unreadBytes;
    const unfinished = Math.max(0, this.#options.connection.bytesRead - this.#readBefore);
    const most = this.#options.limits.messageBytes;
    return this.#unreadBytes + ws.bufferedAmount + Math.min(unfinished, most);
  }

  /**
   * Whether it may send more than who it is. The library bounds messages, and has no word for
   * changing the bound.
   */
  takeLongMessages(isKnown: boolean): void {
    const { messageBytes, strangerBytes } = this.#options.limits;
    const { _receiver: receiver } = this.#ws as WebSocket & Bounded;
    if (receiver !== undefined) receiver._maxPayload = isKnown ? messageBytes : strangerBytes;
  }

  async receive(): Promise<Buffer | null> {
    const [message] = (await this.receiveMany(1)) ?? [];
    return message ?? null;
  }

  async receiveFirst(code: number, reason: string): Promise<Buffer | null> {
    const inTime = new AbortController();
    const late = sleep(this.#options.limits.handshakeMs, inTime.signal).then(() => {
      if (!inTime.signal.aborted) this.close(code, reason);
      return null;
    });
    const first = await Promise.race([this.receive(), late]);
    inTime.abort();
    return first;
  }

  async receiveMany(most: number): Promise<Buffer[] | null> {
    this.#dealtWith = this.#handedOut;
    this.#answerPings();
    while (this.#unread.length === 0) {
      if (this.#isEnding) return null;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    const messages = this.#unread.splice(0, most);
    for (const { length } of messages) this.#unreadBytes -= length;
    this.#handedOut += messages.length;
    if (this.#ws.isPaused && !this.#isFull()) this.#ws.resume();
    return messages;
  }

  async send(text: string): Promise<void> {
    const ws = this.#ws;
    if (ws.readyState !== ws.OPEN) return;
    if (ws.bufferedAmount > this.#options.limits.unsentBytes) {
      this.close(CLOSE.tooSlow, SLOW);
      return;
    }
    const { onSend } = this.#options;
    const bytes = Buffer.byteLength(text);
    if (ws.bufferedAmount < ROOM_BYTES) {
      ws.send(text);
      onSend(bytes);
      return;
    }
    await new Promise<void>((resolve) => {
      ws.send(text, () => resolve());
      onSend(bytes);
    });
  }

  close(code: number, reason: string): void {
    this.#unread = [];
    this.#unreadBytes = 0;
    this.#ws.resume();
    this.#ws.close(code, shortReason(reason));
    this.#end();
  }

  /**
   * Lets go of the peer because too much is held for all of them; without a word if it was told to
   * go before.
   */
  giveUp(): void {
    if (this.#isEnding) this.cut();
    else this.close(CLOSE.tooSlow, SLOW);
  }

  /** Takes no more messages; what was received is still handed out. */
  stopReading(): void {
    this.#isStopping = true;
    this.#ws.pause();
    this.#end();
  }

  cut(): void {
    this.#ws.terminate();
  }

  /** Resolves when the connection has ended, which the protocol's own deadline sees to. */
  async closed(): Promise<void> {
    if (this.#ws.readyState === this.#ws.CLOSED) return;
    await new Promise<void>((resolve) => {
      this.#ws.once("close", () => resolve());
    });
  }

  /**
   * Lets go of a peer that gave no sign of life since the last look. One that is kept waiting by us
   * cannot give any, nor can one that has still to read what was sent before the question: that one
   * is told, should it ever read on.
   */
  checkAlive(): void {
    const isKeptWaiting = this.#ws.isPaused && this.#ws.bufferedAmount === 0;
    if (isKeptWaiting || this.#isEnding) return;
    if (this.#isAlive) {
      this.#isAlive = false;
      this.#ws.ping();
    } else if (this.#ws.bufferedAmount > 0) this.close(CLOSE.tooSlow, SLOW);
    else this.cut();
  }

  #take(message: Buffer): void {
    this.#isAlive = true;
    this.#readBefore = this.#options.connection.bytesRead;
    if (this.#isEnding) return;
    this.#unread.push(compact(message));
    this.#unreadBytes += message.length;
    this.#arrived += 1;
    if (this.#isFull()) this.#ws.pause();
    this.#wakeReader();
  }

  #takePing(data: Buffer): void {
    this.#isAlive = true;
    this.#readBefore += CONTROL_FRAME_BYTES + data.length;
    const after = this.#options.confirmsByPong ? this.#arrived : 0;
    // The answer to a ping stands for those before it as well, so a flood of them takes no room.
    if (this.#pings.length === MAX_PENDING_PINGS) this.#pings.pop();
    this.#pings.push({ data: compact(data), after });
    this.#answerPings();
  }

  /** One answer is on its way at a time: a peer that asks and does not read would pile them up. */
  #answerPings(): void {
    if (this.#isPongUnderWay) return;
    const due = this.#pings.findLastIndex(({ after }) => after <= this.#dealtWith);
    const newest = this.#pings.splice(0, due + 1).at(-1);
    if (newest === undefined) return;
    this.#isPongUnderWay = true;
    this.#ws.pong(newest.data, false, (error) => {
      this.#isPongUnderWay = false;
      if (!error) this.#answerPings();
    });
  }

  #isFull(): boolean {
    const { unreadBytes, unreadMessages } = this.#options.limits;
    return this.#unreadBytes >= unreadBytes || this.#unread.length >= unreadMessages;
  }

  #end(): void {
    this.#isEnding = true;
    this.#gone.abort();
    this.#wakeReader();
  }

  #wakeReader(): void {
    this.#wake?.();
    this.#wake = null;
  }
}

/** A few bytes are not worth keeping all that came with them. */
function compact(bytes: Buffer): Buffer {
  return bytes.buffer.byteLength > 2 * bytes.length ? Buffer.from(bytes) : bytes;
}

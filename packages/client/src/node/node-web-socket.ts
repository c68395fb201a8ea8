// The websocket of the package `ws`, with answers to pings and an end to silence: Node has one of
// its own only from version 22 on, and that one can neither ping nor pause nor send headers.

import { WebSocket } from "ws";
import { refusedUpgrade } from "./refused-upgrade.ts";

/** The server pings more often than this; one that does not is gone. */
const SILENCE_MS = 90_000;
const OPTIONS = {
  maxPayload: 64 * 1024 * 1024,
  perMessageDeflate: false,
  closeTimeout: 3000,
};
/** RFC 6455: the close code of an end without a close frame. */
const NO_CLOSE_FRAME = 1006;

type Handler<Event> = ((event: Event) => void) | null;

interface PendingPing {
  readonly count: number;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

export class NodeWebSocket {
  /** The server answers a ping once it has dealt with everything sent before it. */
  readonly confirmsByPong = true;
  onopen: Handler<object> = null;
  onmessage: Handler<{ readonly data: string }> = null;
  onclose: Handler<{ readonly code: number; readonly reason: string }> = null;
  onerror: Handler<{ readonly error: unknown }> = null;

  readonly #ws: WebSocket;
  #pings: PendingPing[] = [];
  #pingCount = 0;
  #isClosing = false;
  #isEnded = false;
  #silence: NodeJS.Timeout | undefined;

  constructor(
    url: string,
    protocols: string[],
    { headers = {} }: { readonly headers?: Readonly<Record<string, string>> } = {},
  ) {
    this.#ws = new WebSocket(url, protocols, { ...OPTIONS, headers });
    const ws = this.#ws;
    ws.on("ping", () => this.#heard());
    ws.on("unexpected-response", (_request, message) => {
      const address = url.replace(/^ws/, "http");
      refusedUpgrade(message, address).then(
        (error) => this.#fail(error),
        (error) => this.#fail(error),
      );
    });
    ws.on("open", () => {
      this.#heard();
      this.onopen?.({});
    });
    ws.on("message", (data: Buffer, isBinary) => {
      this.#heard();
      if (isBinary) this.close(1003, "Only text is taken");
      else if (!this.#isClosing) this.onmessage?.({ data: data.toString() });
    });
    ws.on("pong", (data) => {
      this.#heard();
      this.#confirm(Number(data.toString()));
    });
    ws.on("error", (error) => {
      // The package reports a close during the handshake as an error as well.
      if (!this.#isEnded) this.onerror?.({ error });
    });
    ws.on("close", (code, reason) => this.#finish({ code, reason: reason.toString() }));
  }

  get bufferedAmount(): number {
    return this.#ws.bufferedAmount;
  }

  send(text: string): void {
    if (!this.#isEnded) this.#ws.send(text);
  }

  /** Resolves with the pong; rejects when there will be none. */
  ping(): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#ws.readyState !== WebSocket.OPEN) {
        reject(new Error("The connection has ended"));
        return;
      }
      this.#pingCount += 1;
      this.#pings.push({ count: this.#pingCount, resolve, reject });
      this.#ws.ping(String(this.#pingCount));
    });
  }

  pause(): void {
    this.#ws.pause();
    clearTimeout(this.#silence);
  }

  resume(): void {
    this.#ws.resume();
    this.#heard();
  }

  close(code = 1000, reason = ""): void {
    if (this.#isEnded || this.#isClosing) return;
    this.#isClosing = true;
    clearTimeout(this.#silence);
    // A paused peer would never read the answer to its close frame.
    if (this.#ws.isPaused) this.#ws.resume();
    this.#ws.close(code, reason);
  }

  /** A connection on which nothing arrives for long is given up, unless it is paused or closing. */
  #heard(): void {
    clearTimeout(this.#silence);
    if (this.#isClosing || this.#ws.isPaused) return;
    this.#silence = setTimeout(() => this.#ws.terminate(), SILENCE_MS);
    this.#silence.unref();
  }

  #fail(error: unknown): void {
    if (this.#isEnded) return;
    this.onerror?.({ error });
    this.#finish({ code: NO_CLOSE_FRAME, reason: "" });
    this.#ws.terminate();
  }

  #finish(end: { readonly code: number; readonly reason: string }): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    clearTimeout(this.#silence);
    for (const { reject } of this.#pings) reject(new Error("The connection has ended"));
    this.#pings = [];
    this.onclose?.(end);
  }

  /** One pong may answer several pings. */
  #confirm(count: number): void {
    const confirmed = this.#pings.filter((ping) => ping.count <= count);
    this.#pings = this.#pings.filter((ping) => ping.count > count);
    for (const { resolve } of confirmed) resolve();
  }
}

import type { Socket } from "node:net";
import { abortedBy, OutboundError, socketError } from "../outbound-error.ts";

export interface SmtpReply {
  readonly code: number;
  readonly lines: readonly string[];
}

const MAX_REPLY_BYTES = 16_384;

/** Commands out, replies in, one after the other. */
export class SmtpConversation {
  readonly #socket: Socket;
  readonly #signal: AbortSignal;
  #text = "";
  #failure: OutboundError | null = null;
  #wake: () => void = () => {};

  constructor(socket: Socket, signal: AbortSignal) {
    this.#socket = socket;
    this.#signal = signal;
    socket.on("data", this.#take);
    socket.on("error", this.#break);
    socket.on("close", this.#hangUp);
    signal.addEventListener("abort", this.#abort, { once: true });
    if (signal.aborted) this.#abort();
  }

  say(line: string): Promise<SmtpReply> {
    if (/[\r\n]/.test(line)) throw new OutboundError("invalid", "A value holds a line break");
    return this.send(`${line}\r\n`);
  }

  send(text: string): Promise<SmtpReply> {
    if (this.#failure === null) this.#socket.write(text, "latin1");
    return this.hear();
  }

  async hear(): Promise<SmtpReply> {
    for (;;) {
      const reply = this.#next();
      if (reply !== null) return reply;
      if (this.#failure !== null) throw this.#failure;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /**
   * Lets go of the connection, which is about to be encrypted. Whatever was said too early was not
   * said in confidence.
   */
  release(): void {
    this.#signal.removeEventListener("abort", this.#abort);
    this.#socket.off("data", this.#take);
    this.#socket.off("error", this.#break);
    this.#socket.off("close", this.#hangUp);
    if (this.#text !== "")
      throw new OutboundError("insecure", "The mail server spoke before the connection was secure");
  }

  #next(): SmtpReply | null {
    const lines: string[] = [];
    for (let at = 0; ; ) {
      const end = this.#text.indexOf("\n", at);
      if (end < 0) {
        if (this.#text.length > MAX_REPLY_BYTES) throw notSmtp();
        return null;
      }
      const line = this.#text.slice(at, end).trimEnd();
      if (!/^\d{3}(?:[ -]|$)/.test(line)) throw notSmtp();
      lines.push(line.slice(4));
      at = end + 1;
      if (line[3] === "-") continue;
      this.#text = this.#text.slice(at);
      return { code: Number(line.slice(0, 3)), lines };
    }
  }

  readonly #take = (chunk: Buffer): void => {
    this.#text += chunk.toString("latin1");
    if (this.#text.length > 2 * MAX_REPLY_BYTES) this.#fail(notSmtp());
    this.#wake();
  };
  readonly #break = (error: unknown): void => this.#fail(socketError(error));
  readonly #hangUp = (): void => {
    this.#signal.removeEventListener("abort", this.#abort);
    this.#fail(new OutboundError("broken", "The mail server hung up"));
  };
  readonly #abort = (): void => this.#fail(abortedBy(this.#signal));

  #fail(error: OutboundError): void {
    this.#failure ??= error;
    this.#wake();
  }
}

function notSmtp(): OutboundError {
  return new OutboundError("broken", "The other side does not speak SMTP");
}

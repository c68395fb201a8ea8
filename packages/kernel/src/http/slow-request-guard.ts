// Node looks for requests that are late before it reads what has arrived, and does not ask whether
// the server itself was held up, or left the body where it was while it found out who asks. Such a
// request is given its time once more.

import type { IncomingMessage, Server } from "node:http";
import type { Socket } from "node:net";
import { sleep } from "../clock/clock.ts";

/** Node keeps the response that is being written on the socket. */
export interface HttpServerSocket extends Socket {
  readonly _httpMessage?: {
    readonly headersSent: boolean;
    readonly req: IncomingMessage;
  } | null;
}

interface Late {
  /** The request, once its headers have arrived. */
  request: IncomingMessage | null;
}

export class SlowRequestGuard {
  readonly #requestMs: number;
  readonly #late = new Map<Socket, Late>();

  constructor(requestMs: number) {
    this.#requestMs = requestMs;
  }

  observe(server: Server): void {
    server.on("request", (request: IncomingMessage) => {
      if (this.#late.size === 0) return;
      const late = this.#late.get(request.socket);
      if (late !== undefined) late.request ??= request;
    });
  }

  /** Calls `refuse` if it is the client that is late; Node does not look at this request again. */
  async judge(socket: HttpServerSocket, refuse: () => void): Promise<void> {
    const late: Late = { request: socket._httpMessage?.req ?? null };
    this.#late.set(socket, late);
    const { bytesRead } = socket;
    // By then what was waiting in this turn of the event loop has been read.
    await new Promise((resolve) => setImmediate(resolve));
    let isServersDelay = socket.bytesRead !== bytesRead || isUnread(late);
    while (isServersDelay && !isOver(socket, late)) {
      await sleep(this.#requestMs);
      isServersDelay = isUnread(late);
    }
    this.#late.delete(socket);
    if (!isOver(socket, late)) refuse();
  }
}

const isOver = (socket: Socket, { request }: Late): boolean =>
  socket.destroyed || request?.complete === true;

/** Some of the body is there, and nobody has asked for it yet. */
const isUnread = ({ request }: Late): boolean =>
  request !== null && !request.complete && request.readableLength > 0;

// One websocket to the server, as a thing to wait for. A peer that sends faster than messages are
// taken is made to wait where the websocket can do that; where it cannot, it is let go, and whoever
// listens comes back for the rest.

import { ApiError, ConnectionError } from "../transport/errors.ts";
import type { CallOptions, HttpTransport } from "../transport/request.ts";
import { authorization } from "../transport/transport.ts";
import type { WebSocketConstructor, WebSocketLike } from "../transport/web-socket.ts";

export interface ConnectionEnd {
  readonly code: number;
  readonly reason: string;
}

export interface SocketConnection {
  readonly url: string;
  /**
   * The next message, parsed; null when there will be none. What came before the end is still
   * handed out.
   */
  readonly receive: () => Promise<unknown>;
  /** Sends as JSON; resolves when there is room for more. */
  readonly send: (message: unknown) => Promise<void>;
  /**
   * Resolves when the server has dealt with all that was sent before; null where a page may not
   * ask.
   */
  readonly confirm: (() => Promise<void>) | null;
  readonly close: () => void;
  /** Why it ended; null while it lasts. */
  readonly end: () => ConnectionEnd | null;
}

const PROTOCOLS = ["orchestrator", "prefect"];
const HANDSHAKE_MS = 15_000;
/** With more than this waiting to be taken, the peer is made to wait. */
const HIGH_WATER = 1000;
/** With more than this, one that cannot be made to wait is let go. */
const MAX_WAITING = 20_000;
/** With less than this on its way out there is room for more. */
const ROOM_BYTES = 256 * 1024;
const ROOM_LOOK_MS = 10;
const TOO_MUCH: ConnectionEnd = { code: 1013, reason: "More came than was taken" };
const NO_STATUS = 1006;

/** Opens a websocket and says who is there. */
export async function connectSocket(
  transport: HttpTransport,
  path: string,
  { signal }: Pick<CallOptions, "signal"> = {},
): Promise<SocketConnection> {
  const url = (transport.url + path).replace(/^http/, "ws");
  const connection = await open(transport, url, signal);
  const { apiKey, authString, basic } = transport.options;
  const token = apiKey ?? authString ?? (basic && `${basic.username}:${basic.password}`) ?? null;
  await connection.send({ type: "auth", token });
  const answer = await withinHandshake(connection, connection.receive(), signal);
  if ((answer as { readonly type?: unknown } | null)?.type === "auth_success") return connection;
  const end = connection.end() ?? { code: 1002, reason: "No auth_success came" };
  connection.close();
  throw endedBy(url, end);
}

/** The error that says how a connection ended. */
export function endedBy(url: string, closed: ConnectionEnd): ConnectionError {
  return new ConnectionError({ method: "GET", url }, { closed, isUnsent: false });
}

async function open(
  transport: HttpTransport,
  url: string,
  signal: AbortSignal | undefined,
): Promise<SocketConnection> {
  const { webSocket, loadWebSocket } = transport.options;
  const { WebSocket: own } = globalThis as { readonly WebSocket?: WebSocketConstructor };
  const WebSocket = webSocket ?? (await loadWebSocket?.()) ?? own;
  if (WebSocket === undefined) {
    throw new TypeError(
      "There is no WebSocket here: import from @orchestrator/client/node, or give one as `webSocket`",
    );
  }
  signal?.throwIfAborted();
  // Pages cannot send headers; others can, and a proxy on the way may want them.
  const headers = { ...authorization(transport.options), ...transport.options.headers };
  const socket = new WebSocket(url, PROTOCOLS, { headers });
  return new Promise((resolve, reject) => {
    const fail = (error: unknown): void => {
      socket.onopen = socket.onmessage = socket.onclose = null;
      // Closing what is not open yet is an error of its own.
      socket.onerror = () => {};
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
      reject(error);
      socket.close();
    };
    const failed = (cause: unknown): void =>
      fail(
        cause instanceof ApiError
          ? cause
          : new ConnectionError({ method: "GET", url }, { cause, isUnsent: true }),
      );
    const abort = (): void => fail(signal?.reason);
    const timer = setTimeout(() => failed(new Error("No answer in time")), HANDSHAKE_MS);
    signal?.addEventListener("abort", abort, { once: true });
    socket.onerror = (event: { readonly error?: unknown }) => failed(event.error);
    socket.onclose = ({ code, reason }: ConnectionEnd) => fail(endedBy(url, { code, reason }));
    socket.onopen = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
      resolve(established(socket, url, signal));
    };
  });
}

function established(
  socket: WebSocketLike,
  url: string,
  signal: AbortSignal | undefined,
): SocketConnection {
  const waiting: unknown[] = [];
  let end: ConnectionEnd | null = null;
  let taker: ((message: unknown) => void) | null = null;
  let isPaused = false;

  const finish = (why: ConnectionEnd): void => {
    if (end !== null) return;
    end = why;
    signal?.removeEventListener("abort", abort);
    socket.onmessage = socket.onclose = null;
    socket.onerror = () => {};
    taker?.(null);
    taker = null;
  };
  const close = (): void => {
    finish({ code: 1000, reason: "" });
    socket.close(1000);
  };
  const abort = (): void => close();
  signal?.addEventListener("abort", abort, { once: true });

  const take = (message: unknown): void => {
    if (taker !== null) {
      const give = taker;
      taker = null;
      give(message);
      return;
    }
    waiting.push(message);
    if (socket.pause !== undefined && !isPaused && waiting.length >= HIGH_WATER) {
      isPaused = true;
      socket.pause();
    }
    if (waiting.length < MAX_WAITING) return;
    finish(TOO_MUCH);
    socket.close(1000);
  };

  socket.onmessage = ({ data }: { readonly data: unknown }) => {
    try {
      take(JSON.parse(String(data)));
    } catch {
      finish({ code: 1007, reason: "A message was no JSON" });
      socket.close(1000);
    }
  };
  // The close that follows says why.
  socket.onerror = () => {};
  socket.onclose = ({ code, reason }: ConnectionEnd) => finish({ code: code || NO_STATUS, reason });

  return {
    url,
    close,
    end: () => end,
    receive: async () => {
      if (waiting.length > 0) {
        const message = waiting.shift();
        if (isPaused && waiting.length < HIGH_WATER / 2) {
          isPaused = false;
          socket.resume?.();
        }
        return message;
      }
      if (end !== null) return null;
      return new Promise((resolve) => {
        taker = resolve;
      });
    },
    send: async (message) => {
      if (end !== null) throw endedBy(url, end);
      socket.send(JSON.stringify(message));
      while (end === null && socket.bufferedAmount > ROOM_BYTES) {
        await new Promise((resolve) => setTimeout(resolve, ROOM_LOOK_MS));
      }
      if (end !== null) throw endedBy(url, end);
    },
    confirm: confirmation(socket, () => endedBy(url, end ?? { code: NO_STATUS, reason: "" })),
  };
}

/** Only our own socket answers when the pong is there; the one of `ws` returns at once. */
function confirmation(
  socket: WebSocketLike,
  broken: () => ConnectionError,
): (() => Promise<void>) | null {
  if (socket.ping === undefined || socket.confirmsByPong !== true) return null;
  return async () => {
    try {
      await socket.ping?.();
    } catch {
      throw broken();
    }
  };
}

async function withinHandshake(
  connection: SocketConnection,
  answer: Promise<unknown>,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  const timer = setTimeout(() => connection.close(), HANDSHAKE_MS);
  try {
    return await answer;
  } finally {
    clearTimeout(timer);
    signal?.throwIfAborted();
  }
}

// Events are sent in batches, the next when the server has stored the last. They carry ids, so a
// batch whose fate is unknown is sent again. Where pings are answered (Node) a websocket is used
// and a ping's answer confirms a batch; where they are not (pages), each batch is a request.

import type { Event } from "@orchestrator/contract";
import { connectSocket, type SocketConnection } from "../sockets/connection.ts";
import { mayPass } from "../sockets/reconnecting.ts";
import { backOffMs } from "../transport/back-off.ts";
import { bindOperation } from "../transport/bind.ts";
import { ensure, extension } from "../transport/operation.ts";
import type { HttpTransport } from "../transport/request.ts";
import { sleepUnlessAborted } from "../transport/sleep.ts";
import { type NewEvent, withEventId } from "./keys.ts";

export interface EventPublisher extends AsyncDisposable {
  /**
   * Takes an event; resolves when there is room for more. Rejects when the server does not take
   * events from us.
   */
  readonly send: (event: NewEvent) => Promise<void>;
  /** Resolves when all that was taken is stored. */
  readonly flush: () => Promise<void>;
  /** Stores what was taken and ends the connection. */
  readonly close: () => Promise<void>;
}

export interface PublisherOptions {
  /** Gives up; what is not stored by then is lost. */
  readonly signal?: AbortSignal | undefined;
}

const SOCKET = { method: "GET", path: "/events/in" };
const REQUEST = { method: "POST", path: "/events" };
const BATCH = 200;
/** With as many waiting there is no room for more. */
const MAX_WAITING = 1000;

/**
 * Sends events for as long as it takes: when the server is away they wait, and whoever sends waits
 * too.
 */
export const publishEvents = extension((transport) => ({ signal }: PublisherOptions = {}) => {
  const waiting: Event[] = [];
  const wakeUps: (() => void)[] = [];
  const deliver = createDelivery(transport, signal);
  let running: Promise<void> | null = null;
  let failure: { readonly error: unknown } | null = null;
  let isClosed = false;

  const wake = (): void => {
    for (const resolve of wakeUps.splice(0)) resolve();
  };
  const run = async (): Promise<void> => {
    try {
      while (waiting.length > 0) {
        const batch = waiting.slice(0, BATCH);
        await deliver.batch(batch);
        waiting.splice(0, batch.length);
        wake();
      }
    } catch (error) {
      failure = { error };
    }
    running = null;
    wake();
  };
  const until = async (isReached: () => boolean): Promise<void> => {
    while (failure === null && !isReached()) {
      await new Promise<void>((resolve) => {
        wakeUps.push(resolve);
      });
    }
    if (failure !== null) throw failure.error;
  };

  const flush = (): Promise<void> => until(() => waiting.length === 0);
  const close = async (): Promise<void> => {
    isClosed = true;
    try {
      await flush();
    } finally {
      deliver.end();
    }
  };
  const publisher: EventPublisher = {
    async send(event) {
      if (isClosed) throw new TypeError("This publisher was closed");
      waiting.push(withEventId(event));
      running ??= run();
      await until(() => waiting.length < MAX_WAITING);
    },
    flush,
    close,
    [Symbol.asyncDispose]: close,
  };
  return publisher;
});

interface Delivery {
  /** Resolves when they are stored. */
  readonly batch: (events: readonly Event[]) => Promise<void>;
  readonly end: () => void;
}

function createDelivery(transport: HttpTransport, signal: AbortSignal | undefined): Delivery {
  const post = bindOperation(transport, ensure(REQUEST.path));
  let connection: SocketConnection | null = null;
  /** The way that was tried last. */
  let way = SOCKET;

  const attempt = async (events: readonly Event[]): Promise<void> => {
    // The platform's own socket answers no pings: requests need no connection, nor a proxy that
    // lets it through.
    const { webSocket, loadWebSocket } = transport.options;
    if (webSocket === undefined && loadWebSocket === undefined) {
      way = REQUEST;
      await post(events, { signal });
      return;
    }
    way = SOCKET;
    if (connection === null || connection.end() !== null) {
      connection = await connectSocket(transport, SOCKET.path, { signal });
    }
    const { confirm, send } = connection;
    if (confirm === null) {
      way = REQUEST;
      await post(events, { signal });
      return;
    }
    for (const event of events) await send(event);
    await confirm();
  };

  return {
    end: () => connection?.close(),
    async batch(events) {
      for (let failures = 0; ; failures += 1) {
        signal?.throwIfAborted();
        try {
          await attempt(events);
          return;
        } catch (error) {
          connection?.close();
          connection = null;
          if (!mayPass(error)) throw error;
          const delayMs = backOffMs(failures, Math.random());
          transport.options.onRetry?.({
            method: way.method,
            url: transport.url + way.path,
            attempt: failures + 1,
            delayMs,
            error: error as Error,
          });
          await sleepUnlessAborted(delayMs, signal);
        }
      }
    },
  };
}

import { backOffMs } from "../transport/back-off.ts";
import { ApiError, ConnectionError, TimeoutError } from "../transport/errors.ts";
import type { HttpTransport } from "../transport/request.ts";
import { PASSING_STATUSES } from "../transport/retries.ts";
import { sleepUnlessAborted } from "../transport/sleep.ts";
import { connectSocket, endedBy, type SocketConnection } from "./connection.ts";

const RETRIES = 5;
/** The server does not understand what is said, or does not let us in. */
const FINAL_CODES: ReadonlySet<number | null> = new Set([1002, 1003, 1007, 1008, 1009]);
/** A connection that lasted as long was a good one. */
const GOOD_MS = 10_000;

export interface ReconnectOptions {
  /** Ends it quietly. */
  readonly signal?: AbortSignal | undefined;
  /**
   * How often the first connection is tried again; one that was there is tried until it is back.
   * @default 5
   */
  readonly retries?: number | undefined;
}

/**
 * What `serve` makes of a connection, and of the next when that breaks; ends when the signal fires.
 * Throws when the first cannot be made, or when the server says that there is no use in coming
 * back.
 */
export async function* reconnecting<Row>(
  transport: HttpTransport,
  path: string,
  { signal, retries = transport.options.retries ?? RETRIES }: ReconnectOptions,
  serve: (connection: SocketConnection) => AsyncGenerator<Row, void, undefined>,
): AsyncGenerator<Row, void, undefined> {
  let failures = 0;
  let wasThere = false;
  while (!signal?.aborted) {
    const began = performance.now();
    let connection: SocketConnection | null = null;
    let problem: unknown;
    try {
      connection = await connectSocket(transport, path, { signal });
      wasThere = true;
      yield* serve(connection);
      problem = endedBy(connection.url, connection.end() ?? { code: 1000, reason: "" });
    } catch (error) {
      problem = error;
    } finally {
      connection?.close();
    }
    if (signal?.aborted) return;
    if (!mayPass(problem) || (!wasThere && failures >= retries)) throw problem;
    failures = connection !== null && performance.now() - began > GOOD_MS ? 0 : failures + 1;
    const delayMs = backOffMs(Math.max(0, failures - 1), Math.random());
    const asked = { method: "GET", url: transport.url + path };
    const error = problem as Error;
    transport.options.onRetry?.({ ...asked, attempt: failures, delayMs, error });
    // The signal ends the wait, and then the loop.
    await sleepUnlessAborted(delayMs, signal).catch(() => {});
  }
}

/** Whether trying again may help. */
export function mayPass(error: unknown): boolean {
  if (error instanceof ConnectionError) return !FINAL_CODES.has(error.closeCode);
  if (error instanceof TimeoutError) return true;
  return error instanceof ApiError && PASSING_STATUSES.has(error.status);
}

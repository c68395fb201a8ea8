// What a call is made of, from the options of a client to the answer.

import type { WebSocketConstructor } from "./web-socket.ts";

export type HttpMethod = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** What a method takes besides what it sends. */
export interface CallOptions {
  /** Ends the call; it then fails with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** For one attempt. */
  readonly timeoutMs?: number | undefined;
  /** For all attempts and the waits between them. */
  readonly totalTimeoutMs?: number | undefined;
  /** How often a failed attempt is repeated, where repeating is safe. */
  readonly retries?: number | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

export interface OperationTraits {
  /**
   * Where the argument after the path's goes; `both` takes one for the body and then one for the
   * query.
   */
  readonly takes: "body" | "query" | "both" | "nothing";
  /**
   * Whether the same request may be made twice: always, or only when the server has certainly not
   * begun with the first.
   */
  readonly repeat: "always" | "unsent";
  /** Fills in what makes the request safe to repeat, such as an id. */
  readonly prepare?: (input: never) => unknown;
  /** The answer is handed on as it arrives. */
  readonly streams?: boolean;
}

export interface Credentials {
  readonly username: string;
  readonly password: string;
}

/** What is told about an attempt that failed and will be repeated. */
export interface Retry {
  readonly method: string;
  readonly url: string;
  /** 1 for the first repetition. */
  readonly attempt: number;
  readonly delayMs: number;
  readonly error: Error;
}

/** How JSON is read and written. */
export interface JsonFormat {
  readonly read: (text: string) => unknown;
  readonly write: (value: unknown) => string;
}

/** A request as a transport sends it. */
export interface SentRequest {
  readonly method: HttpMethod;
  readonly headers: Record<string, string>;
  readonly body?: string;
  readonly credentials?: "omit" | "same-origin" | "include";
  readonly signal: AbortSignal;
}

/** What a transport reads of a response. */
export interface HttpResponse {
  readonly ok: boolean;
  readonly status: number;
  readonly statusText: string;
  /** By names in lower case. */
  readonly headers: { readonly get: (name: string) => string | null };
  readonly text: () => Promise<string>;
  readonly body: ReadableStream<Uint8Array> | null;
}

export interface TransportOptions {
  /**
   * Where the API is, such as `http://127.0.0.1:4200/api`, in a page `/api`; an account's and
   * workspace's path may follow.
   */
  readonly url: string;
  /** Sent as a bearer token. */
  readonly apiKey?: string | undefined;
  /** The string of a server with one password, sent as HTTP Basic where there is no key. */
  readonly authString?: string | undefined;
  /** Sent as HTTP Basic, where there is no key. */
  readonly basic?: Credentials | undefined;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** @default 30 seconds for one attempt */
  readonly timeoutMs?: number | undefined;
  /** @default 2 minutes for all attempts of a call and the waits between them */
  readonly totalTimeoutMs?: number | undefined;
  /** How often a failed attempt is repeated, where repeating is safe. @default 5 */
  readonly retries?: number | undefined;
  /** Hears of each attempt that failed and is repeated. */
  readonly onRetry?: ((retry: Retry) => void) | undefined;
  /** Takes the place of the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** How requests are sent where no `fetch` is given. @default the global `fetch` */
  readonly send?: ((url: string, request: SentRequest) => Promise<HttpResponse>) | undefined;
  /** Takes the place of the global `WebSocket`, which Node has from version 22 on. */
  readonly webSocket?: WebSocketConstructor | undefined;
  /** Loads the implementation when the first websocket is opened. */
  readonly loadWebSocket?: (() => Promise<WebSocketConstructor>) | undefined;
  /**
   * Takes the place of `JSON.parse` and `JSON.stringify`, which alter whole numbers beyond 2^53.
   */
  readonly json?: JsonFormat | undefined;
  /** Whether cookies are sent. @default "same-origin" */
  readonly credentials?: "omit" | "same-origin" | "include" | undefined;
}

export interface Request {
  readonly method: HttpMethod;
  /** Begins with a slash and is percent-encoded already. */
  readonly path: string;
  readonly body?: unknown;
  readonly traits: OperationTraits;
}

/** Carries requests to one server. */
export interface HttpTransport {
  readonly options: TransportOptions;
  /** Without a slash at the end. */
  readonly url: string;
  readonly call: (request: Request, options?: CallOptions) => Promise<ApiResponse>;
}

export interface ApiResponse {
  /**
   * The body: what its JSON says, a text, a stream where one was asked for, or undefined where
   * there is none.
   */
  readonly value: unknown;
  readonly headers: HttpResponse["headers"];
}

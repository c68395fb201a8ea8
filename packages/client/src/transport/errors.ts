// Errors know each other by a mark of their own, so that `instanceof` holds when a program has two
// copies of this package.

/** Where in the request something is wrong, and what. */
export interface Problem {
  readonly where: string;
  readonly what: string;
}

interface RequestPlace {
  readonly method: string;
  readonly url: string;
}

const API_ERROR = Symbol.for("@orchestrator/client:ApiError");
const CONNECTION_ERROR = Symbol.for("@orchestrator/client:ConnectionError");
const TIMEOUT_ERROR = Symbol.for("@orchestrator/client:TimeoutError");

const bears = (value: unknown, mark: symbol): boolean =>
  typeof value === "object" && value !== null && mark in value;

export interface ApiErrorOptions extends RequestPlace {
  readonly status: number;
  readonly detail: string;
  readonly problems: readonly Problem[];
  readonly requestId: string | null;
  readonly retryAfterMs: number | null;
  readonly body: unknown;
}

/** The server answered, and refused. */
export class ApiError extends Error {
  readonly [API_ERROR] = true;
  readonly status: number;
  /** What the server said, in a sentence. */
  readonly detail: string;
  /** What is wrong with the request, where the server said so part by part. */
  readonly problems: readonly Problem[];
  /** Under which the server's log knows the request. */
  readonly requestId: string | null;
  /** After which time trying again makes sense, where the server said so. */
  readonly retryAfterMs: number | null;
  readonly method: string;
  readonly url: string;
  /** The whole answer: parsed where it was JSON, else its text. */
  readonly body: unknown;

  constructor(options: ApiErrorOptions) {
    const { status, detail, method, url, requestId } = options;
    const id = requestId === null ? "" : `, request ${requestId}`;
    super(`${detail} (${status}, ${method} ${url}${id})`);
    this.name = "ApiError";
    this.status = status;
    this.detail = detail;
    this.problems = options.problems;
    this.requestId = requestId;
    this.retryAfterMs = options.retryAfterMs;
    this.method = method;
    this.url = url;
    this.body = options.body;
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    return bears(value, API_ERROR);
  }
}

/** No answer came: there is no server at the address, or the connection broke. */
export class ConnectionError extends Error {
  readonly [CONNECTION_ERROR] = true;
  readonly method: string;
  readonly url: string;
  /** Whether the request has certainly not reached a server. */
  readonly isUnsent: boolean;
  /** The number by which a websocket was closed, where it was. */
  readonly closeCode: number | null;

  constructor({ method, url }: RequestPlace, failure: ConnectionFailure) {
    const { cause, isUnsent } = failure;
    super(connectionMessage(url, failure), { cause });
    this.name = "ConnectionError";
    this.method = method;
    this.url = url;
    this.isUnsent = isUnsent;
    this.closeCode = failure.closed?.code ?? null;
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    return bears(value, CONNECTION_ERROR);
  }
}

export interface ConnectionFailure {
  readonly cause?: unknown;
  readonly isUnsent: boolean;
  /** How the server ended a websocket. */
  readonly closed?: { readonly code: number; readonly reason: string };
}

/** No answer came in the time there was for it. */
export class TimeoutError extends Error {
  readonly [TIMEOUT_ERROR] = true;
  readonly method: string;
  readonly url: string;
  readonly timeoutMs: number;

  constructor({ method, url }: RequestPlace, timeoutMs: number, cause?: unknown) {
    super(`No answer in ${Math.round(timeoutMs)} ms (${method} ${url})`, { cause });
    this.name = "TimeoutError";
    this.method = method;
    this.url = url;
    this.timeoutMs = timeoutMs;
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    return bears(value, TIMEOUT_ERROR);
  }
}

function connectionMessage(url: string, { cause, isUnsent, closed }: ConnectionFailure): string {
  const origin = URL.canParse(url) ? new URL(url).origin : url;
  if (closed !== undefined) {
    return `${origin} closed the connection: ${closed.reason || "no reason given"} (${closed.code})`;
  }
  const reason = reasonOf(cause);
  const suffix = reason === "" ? "" : `: ${reason}`;
  return isUnsent ? `No server at ${origin}${suffix}` : `No answer from ${origin}${suffix}`;
}

/** `fetch` wraps what went wrong; the innermost word is the one that helps. */
function reasonOf(cause: unknown): string {
  let innermost = cause;
  while (innermost instanceof Error && innermost.cause instanceof Error)
    innermost = innermost.cause;
  if (!(innermost instanceof Error)) return "";
  const { code } = innermost as { readonly code?: unknown };
  return innermost.message === "" && typeof code === "string" ? code : innermost.message;
}

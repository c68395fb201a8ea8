// When a request that failed is made again.

import { ApiError, ConnectionError, TimeoutError } from "./errors.ts";
import type { HttpMethod, OperationTraits } from "./request.ts";

/** The server may have begun with a request when it answers so; it has not when it says 429. */
export const PASSING_STATUSES: ReadonlySet<number> = new Set([408, 429, 502, 503, 504]);
const TOO_MANY = 429;
/** The connection was never made. */
const UNSENT_CODES: ReadonlySet<unknown> = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
  "CONNECT_TIMEOUT",
]);

export function wasNeverConnected(error: unknown): boolean {
  return UNSENT_CODES.has(codeOf(error));
}

function codeOf(error: unknown): unknown {
  const { code, cause } = (error ?? {}) as { readonly code?: unknown; readonly cause?: unknown };
  if (typeof code === "string" && UNSENT_CODES.has(code)) return code;
  return cause === undefined ? code : codeOf(cause);
}

/** How long to wait before another attempt; null when it would not help. */
export function retryDelayMs(error: unknown, usual: number): number | null {
  if (error instanceof ConnectionError || error instanceof TimeoutError) return usual;
  if (!(error instanceof ApiError) || !PASSING_STATUSES.has(error.status)) return null;
  return Math.max(error.retryAfterMs ?? 0, usual);
}

/** Whether the request may be made again after this. */
export function mayRetry(traits: OperationTraits, error: unknown): boolean {
  return traits.repeat === "always" || isUnsent(error);
}

/** Whether the server has certainly not begun with the request. */
export function isUnsent(error: unknown): boolean {
  if (error instanceof ConnectionError) return error.isUnsent;
  return error instanceof ApiError && error.status === TOO_MANY;
}

/**
 * What an attempt whose outcome is unknown was to delete is not there: it may well have been that
 * attempt.
 */
export function isAlreadyDeleted(method: HttpMethod, error: unknown): boolean {
  return method === "DELETE" && error instanceof ApiError && error.status === 404;
}

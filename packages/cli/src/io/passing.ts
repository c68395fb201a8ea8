import type { ApiError } from "@orchestrator/client/node";

const AWAY: ReadonlySet<number> = new Set([502, 503, 504]);

/** Known by its name, so that help need not load the client. */
export const isApiError = (error: unknown): error is ApiError =>
  error instanceof Error && error.name === "ApiError";

/** Whether the server is only away, so that whoever waits for something goes on waiting. */
export const isPassing = (error: unknown): error is Error =>
  isApiError(error)
    ? AWAY.has(error.status)
    : error instanceof Error && (error.name === "ConnectionError" || error.name === "TimeoutError");

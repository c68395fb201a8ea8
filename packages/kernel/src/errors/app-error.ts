/**
 * What went wrong, in words the domain may use. Only the HTTP error handler knows the status each
 * becomes.
 */
export const ERROR_CODES = [
  "bad_request",
  "unauthorized",
  "forbidden",
  "not_found",
  "conflict",
  "gone",
  "too_large",
  "unsupported_media_type",
  "invalid",
  "locked",
  "too_many_requests",
  "unavailable",
  "insufficient_storage",
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

export interface AppErrorOptions extends ErrorOptions {
  /** Seconds after which trying again makes sense; sent as `Retry-After`. */
  readonly retryAfterSeconds?: number;
}

/**
 * An expected refusal: its message is one sentence for the caller and never holds a secret or SQL.
 */
export class AppError extends Error {
  override readonly name = "AppError";
  readonly code: ErrorCode;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, options);
    this.code = code;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

export function isAppError(error: unknown, code?: ErrorCode): error is AppError {
  return error instanceof AppError && (code === undefined || error.code === code);
}

import { AppError } from "./app-error.ts";

/**
 * The storage cannot be used now, through no fault of the request: the disk is full, the server is
 * gone.
 */
export class StorageAwayError extends AppError {
  constructor(message: string, cause: unknown) {
    super("unavailable", message, { cause, retryAfterSeconds: 1 });
  }
}

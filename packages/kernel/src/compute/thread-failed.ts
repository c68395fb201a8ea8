import { AppError } from "../errors/app-error.ts";

/**
 * The machine failed, not the job: a thread could not start, load the code of the job, or live
 * until its end. The same job may pass later.
 */
export class ThreadFailedError extends AppError {
  constructor(cause: unknown) {
    super("unavailable", "A computation was interrupted; try again", {
      cause,
      retryAfterSeconds: 1,
    });
  }
}

import type { RequestProblem } from "./invalid-request.ts";

/**
 * One shape for everything that goes wrong: some clients read `detail`, others `exception_message`.
 */
export interface ErrorBody {
  readonly detail: string;
  readonly exception_message: string;
  readonly exception_detail?: readonly RequestProblem[];
  readonly request_body?: unknown;
  readonly request_id?: string;
}

export const INVALID_REQUEST = "Invalid request received.";

export function errorBody(detail: string, exceptionMessage: string = detail): ErrorBody {
  return { detail, exception_message: exceptionMessage };
}

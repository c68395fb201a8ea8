import { CancelledError, errorDetails, TerminatedError, wasReported } from "../errors.ts";
import { scopeLogger } from "../logging/logger.ts";

/**
 * Says what ended an execution, unless a line of the run has: what went wrong around a flow is in
 * no line of its own.
 */
export function logUnreported(runName: string, error: unknown): void {
  const isToldOnItsWay = error instanceof CancelledError || error instanceof TerminatedError;
  if (isToldOnItsWay || wasReported(error)) return;
  scopeLogger(null).error(`The flow run ${runName} was given up: ${errorDetails(error)}`);
}

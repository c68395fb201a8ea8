import { CancelledError, TerminatedError, tellError, wasTold } from "../errors.ts";
import { scopeLogger } from "../logging/logger.ts";

/** Says what ended an execution, unless a line of the run has: what went wrong around a flow is in no line of its own. */
export function tellUntold(runName: string, error: unknown): void {
  const isToldOnItsWay = error instanceof CancelledError || error instanceof TerminatedError;
  if (isToldOnItsWay || wasTold(error)) return;
  scopeLogger(null).error(`The flow run ${runName} was given up: ${tellError(error)}`);
}

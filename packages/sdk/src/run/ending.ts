import {
  CancelledError,
  errorSummary,
  RunStoppedError,
  RunTimeoutError,
  TerminatedError,
} from "../errors.ts";
import type { RunState } from "../options/options.ts";

/** How an execution of a flow ended. */
export type Ending =
  | { readonly kind: "completed"; readonly value: unknown; readonly state: RunState }
  | { readonly kind: "failed"; readonly error: Error; readonly state: RunState }
  | { readonly kind: "stopped"; readonly error: Error; readonly state: RunState }
  /** The run is somebody else's, or goes on later: nothing is said about it. */
  | { readonly kind: "left"; readonly error: Error };

export function completed(value: unknown): Ending {
  return {
    kind: "completed",
    value,
    state: { type: "COMPLETED", name: "Completed", message: null },
  };
}

/**
 * What an error means for the run; why it was stopped counts more than what that made the flow
 * throw.
 */
export function endingOf(thrown: Error, signal: AbortSignal): Ending {
  const error = signal.aborted && signal.reason instanceof Error ? signal.reason : thrown;
  if (error instanceof RunStoppedError) return { kind: "left", error };
  const message = errorSummary(error);
  if (error instanceof CancelledError) {
    return { kind: "stopped", error, state: { type: "CANCELLED", name: "Cancelled", message } };
  }
  if (error instanceof TerminatedError) {
    return { kind: "stopped", error, state: { type: "CRASHED", name: "Crashed", message } };
  }
  const name = error instanceof RunTimeoutError ? "TimedOut" : "Failed";
  return { kind: "failed", error, state: { type: "FAILED", name, message } };
}

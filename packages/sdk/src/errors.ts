// What can go wrong with a run, by kind.

import { fileURLToPath } from "node:url";
import { inspect } from "node:util";

/** The parameters of a flow do not fit its schema. */
export class ParameterError extends Error {
  override readonly name = "ParameterError";
}

/** A flow or task took longer than it may. */
export class RunTimeoutError extends Error {
  override readonly name = "RunTimeoutError";
}

/** The run was cancelled; it is the reason of the signal that the run's context holds. */
export class CancelledError extends Error {
  override readonly name = "CancelledError";
}

/** The run was ended, taken away or put off by somebody else: this process leaves it as it is. */
export class RunStoppedError extends Error {
  override readonly name: string = "RunStoppedError";
}

/**
 * Nobody has resumed the run in time: the server has failed it, so that nothing is left to be said
 * but of the task that waited.
 */
export class PauseTimeoutError extends RunStoppedError {
  override readonly name = "PauseTimeoutError";
}

/** No matching event came while the flow waited for one. */
export class EventTimeoutError extends Error {
  override readonly name = "EventTimeoutError";
}

/** The process that runs the flow was told to go. */
export class TerminatedError extends Error {
  override readonly name = "TerminatedError";
}

/** No server answers, and a flow cannot begin without one. */
export class NoServerError extends Error {
  override readonly name = "NoServerError";
}

/** Something was called that makes sense only within a flow run. */
export class NotInRunError extends Error {
  override readonly name = "NotInRunError";
}

/** A run that was started has not completed. */
export class FlowRunFailedError extends Error {
  override readonly name = "FlowRunFailedError";
  readonly flowRunId: string;
  readonly state: FailedState;

  constructor(run: { readonly id: string; readonly name: string }, state: FailedState) {
    super(`The flow run ${run.name} is ${state.name}${state.message ? `: ${state.message}` : ""}`);
    this.flowRunId = run.id;
    this.state = state;
  }
}

interface FailedState {
  readonly type: string;
  readonly name: string;
  readonly message: string | null;
}

/** A run has completed, and its result is not stored where it can be read. */
export class ResultNotStoredError extends Error {
  override readonly name = "ResultNotStoredError";
}

/** What was thrown, as an error. */
export function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(textOf(thrown));
}

/** Of an object what is in it: `String` says nothing of that, or throws. */
function textOf(thrown: unknown): string {
  if (typeof thrown !== "object" || thrown === null) return String(thrown);
  return inspect(thrown, { breakLength: Number.POSITIVE_INFINITY });
}

const MAX_MESSAGE = 2000;

/** One line that says what went wrong, for the message of a state. */
export function errorSummary(thrown: unknown): string {
  const { name, message } = asError(thrown);
  const text = `${name}: ${message}`;
  return text.length > MAX_MESSAGE ? `${text.slice(0, MAX_MESSAGE)}…` : text;
}

const FRAME = /^\s+at /;
/** Where nothing of the author's stands: Node's own files and those of this package. */
const OURS = ["node:", fileURLToPath(new URL("../", import.meta.url))];
const told = new WeakSet<Error>();

export const wasReported = (thrown: unknown): boolean =>
  thrown instanceof Error && told.has(thrown);

/**
 * All that is known of what went wrong, with where it happened and what caused it; the second time
 * only what it was.
 */
export function errorDetails(thrown: unknown): string {
  if (!(thrown instanceof Error) || told.has(thrown)) return errorSummary(thrown);
  told.add(thrown);
  const lines = inspect(thrown, { colors: false }).split("\n");
  const isTold = (line: string): boolean =>
    !FRAME.test(line) || !OURS.some((place) => line.includes(place));
  return lines.filter(isTold).join("\n");
}

// What can go wrong with a run, by kind.

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
  override readonly name = "RunStoppedError";
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

/** What was thrown, as an error. */
export function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}

const MAX_MESSAGE = 2000;

/** One line that says what went wrong, for the message of a state. */
export function describeError(thrown: unknown): string {
  const { name, message } = asError(thrown);
  const text = `${name}: ${message}`;
  return text.length > MAX_MESSAGE ? `${text.slice(0, MAX_MESSAGE)}…` : text;
}

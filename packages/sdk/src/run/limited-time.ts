import { setMaxListeners } from "node:events";
import { RunTimeoutError } from "../errors.ts";
import { runAtDeadline } from "../time.ts";

export interface TimeLimit {
  readonly seconds: number | undefined;
  readonly what: string;
  /** Whose end ends the work as well. */
  readonly parent: AbortSignal;
}

/**
 * Runs the work with a signal. When its time is over or the parent is aborted, the signal is
 * aborted and the call fails at once: work that does not listen goes on unheard.
 */
export async function withTimeLimit<Value>(
  { seconds, what, parent }: TimeLimit,
  work: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  parent.throwIfAborted();
  // A signal of its own costs more than all else about a small task.
  if (seconds === undefined) return untilAborted(parent, work(parent));
  const own = new AbortController();
  setMaxListeners(0, own.signal);
  const onParent = (): void => own.abort(parent.reason);
  parent.addEventListener("abort", onParent, { once: true });
  const deadline = runAtDeadline(seconds * 1000, () =>
    own.abort(new RunTimeoutError(`${what} took longer than ${seconds} s`)),
  );
  try {
    return await untilAborted(own.signal, work(own.signal));
  } finally {
    deadline.cancel();
    parent.removeEventListener("abort", onParent);
  }
}

function untilAborted<Value>(signal: AbortSignal, work: Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason as Error);
    signal.addEventListener("abort", onAbort);
    work.then(
      (value) => {
        signal.removeEventListener("abort", onAbort);
        resolve(value);
      },
      (error: unknown) => {
        signal.removeEventListener("abort", onAbort);
        reject(error as Error);
      },
    );
  });
}

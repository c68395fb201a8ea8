import { TerminatedError } from "../errors.ts";

const SIGNALS = ["SIGINT", "SIGTERM"] as const;

/**
 * While a flow runs that a program has called, the first signal ends the run as crashed, and then
 * the process as it would have ended anyway; a second one ends it at once. A program that listens
 * for signals itself decides itself.
 */
export function endWithProcess(stop: (reason: Error) => void): () => void {
  let received: NodeJS.Signals | null = null;
  const listeners = SIGNALS.filter((signal) => process.listenerCount(signal) === 0).map(
    (signal) => {
      const listener = (): void => {
        received = signal;
        stop(new TerminatedError(`The process was ended by ${signal}`));
      };
      process.once(signal, listener);
      return { signal, listener };
    },
  );
  return () => {
    for (const { signal, listener } of listeners) process.removeListener(signal, listener);
    if (received !== null) process.kill(process.pid, received);
  };
}

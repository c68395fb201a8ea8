import { say } from "./print.ts";

class Interrupted extends Error {}

/**
 * When nobody looks any more, as a signal for what is to be left off in order: after Ctrl-C, or
 * once whoever reads has seen enough, as in `orchestrator event stream | head`. A second Ctrl-C
 * ends the program as usual.
 */
export function onInterrupt(): { readonly signal: AbortSignal } {
  const control = new AbortController();
  process.once("SIGINT", () => control.abort(new Interrupted("interrupted")));
  process.stdout.once("error", () => control.abort(new Error("nobody reads")));
  return { signal: control.signal };
}

const EXIT_INTERRUPTED = 130;

/** Says what goes on without us, and ends as shells expect it of a program that was stopped so. */
export function exitInterrupted({ reason }: AbortSignal, text?: string): void {
  if (!(reason instanceof Interrupted)) return;
  if (text !== undefined) say(text);
  process.exitCode = EXIT_INTERRUPTED;
}

/** Resolves after so long, or at once when the signal says so. */
export function waitUnlessAborted(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", done);
  });
}

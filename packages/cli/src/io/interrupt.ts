/** Ctrl-C, as a signal for what is to be left off in order. A second Ctrl-C ends the program as usual. */
export function onInterrupt(): { readonly signal: AbortSignal } {
  const control = new AbortController();
  process.once("SIGINT", () => control.abort(new Error("interrupted")));
  return { signal: control.signal };
}

const EXIT_INTERRUPTED = 130;

/** What shells expect of a program that was stopped so. */
export function leaveInterrupted(): void {
  process.exitCode = EXIT_INTERRUPTED;
}

/** Resolves after so long, or at once when the signal says so. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
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

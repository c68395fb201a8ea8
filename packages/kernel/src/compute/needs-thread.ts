/** Thrown in the event loop by work that is not known to be cheap, so it belongs on a thread. */
export interface NeedsThread extends Error {
  readonly needsThread: true;
}

/** By its field, because packages that know nothing of threads have errors of their own for it. */
export function isNeedsThread(error: unknown): error is NeedsThread {
  return error instanceof Error && "needsThread" in error && error.needsThread === true;
}

/**
 * Runs in the event loop what is provably cheap. `inline` throws `NeedsThread` as soon as it is
 * not.
 */
export async function inlineOrOnThread<Out>(
  inline: () => Out,
  onThread: () => Promise<Out>,
): Promise<Out> {
  try {
    return inline();
  } catch (error) {
    if (!isNeedsThread(error)) throw error;
    return onThread();
  }
}

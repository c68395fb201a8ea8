/** The work is not known to be cheap, so it belongs on a thread. */
export class NeedsThread extends Error {}

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
    if (!(error instanceof NeedsThread)) throw error;
    return onThread();
  }
}

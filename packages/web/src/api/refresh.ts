// How what is shown is asked for again when it has changed.
import type { QueryClient } from "@tanstack/react-query";

/**
 * Under a storm of events a page asks this often and no more, and a tenth of the time at most: what
 * is dear to answer is asked seldom.
 */
const PAUSE_MS = 1000;
const SHARE = 10;
/** One answer that hung says nothing about the next. */
const LONGEST_PAUSE_MS = 30_000;

export const pauseAfterMs = (tookMs: number): number =>
  Math.min(LONGEST_PAUSE_MS, Math.max(PAUSE_MS, tookMs * (SHARE - 1)));

/** Asks again for all that is shown of what is stale; resolves when the answers are there. */
export async function refreshStale(queries: QueryClient, stale: Set<string>): Promise<void> {
  const keys = [...stale];
  // The answer to a question that is under way may be older than the change: there it is asked once
  // more afterwards.
  const asked = keys.filter((key) => queries.isFetching({ queryKey: [key], type: "active" }) > 0);
  stale.clear();
  for (const key of asked) stale.add(key);
  await Promise.all(
    keys.map((key) => queries.invalidateQueries({ queryKey: [key] }, { cancelRefetch: false })),
  );
}

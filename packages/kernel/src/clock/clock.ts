import { formatMicros } from "./timestamp.ts";

/** Where the time comes from. Handed in everywhere, so that a test can own it. */
export interface Clock {
  readonly nowMicros: () => number;
  /** The same moment as a timestamp, ready for a column. */
  readonly now: () => string;
}

export const systemClock: Clock = {
  nowMicros: () => Date.now() * 1000,
  now: () => formatMicros(Date.now() * 1000),
};

/** Longer waits than a timer can hold, some 25 days, would end at once; they are cut to it. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Waits, or returns early when the signal fires. Never rejects. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) {
      resolve();
      return;
    }
    const finish = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", finish);
      resolve();
    };
    const timer = setTimeout(finish, Math.min(ms, MAX_TIMER_MS));
    signal?.addEventListener("abort", finish, { once: true });
  });
}

/** About how long others are kept waiting. */
const TURN_MS = 10;

/**
 * A long piece of work calls what this gives between its steps: now and then it waits while
 * everything else that is to be done has its turn.
 */
export function yieldingBetweenSteps(): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < TURN_MS) return;
    await new Promise<void>((resolve) => setImmediate(resolve));
    since = performance.now();
  };
}

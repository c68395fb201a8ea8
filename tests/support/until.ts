import { setTimeout as sleep } from "node:timers/promises";

/** Far longer than anything takes on a loaded machine: only what is wrong for good gets there. */
const DEADLINE_MS = 60_000;
const EVERY_MS = 5;

/**
 * Asks again and again until `check` no longer throws. Needs no test around it: pictures are taken
 * with it, too.
 */
export async function retryUntil<T>(
  check: () => T | Promise<T>,
  deadlineMs = DEADLINE_MS,
): Promise<T> {
  const deadline = performance.now() + deadlineMs;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (performance.now() > deadline) throw error;
    }
    await sleep(EVERY_MS);
  }
}

/** Waits until `isTrue`, which is too small a thing to have a message of its own. */
export async function untilTrue(what: string, isTrue: () => boolean): Promise<void> {
  await retryUntil(() => {
    if (!isTrue()) throw new Error(`Still waiting until ${what}`);
  });
}

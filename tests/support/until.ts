import { vi } from "vitest";

/** Far longer than anything takes on a loaded machine: only what is wrong for good gets there. */
const DEADLINE_MS = 60_000;

/** Asks again and again until `check` no longer throws. */
export function until<T>(check: () => T | Promise<T>, deadlineMs = DEADLINE_MS): Promise<T> {
  return vi.waitFor(check, { timeout: deadlineMs, interval: 5 });
}

/** Waits until `isTrue`, which is too small a thing to have a message of its own. */
export async function untilTrue(what: string, isTrue: () => boolean): Promise<void> {
  await until(() => {
    if (!isTrue()) throw new Error(`Still waiting until ${what}`);
  });
}

import { vi } from "vitest";

/**
 * Asks again and again until `check` no longer throws; gives up only when something is wrong for
 * good.
 */
export function until<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: 20_000, interval: 5 });
}

import { randomFraction } from "../time.ts";

const FIRST_MS = 200;
const LONGEST_MS = 10_000;

/**
 * How long to wait after so many failures in a row; spread, so that not all come back in the same
 * moment.
 */
export function nextDelayMs(failures: number): number {
  const full = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(failures - 1, 10));
  return full * (0.5 + randomFraction() / 2);
}

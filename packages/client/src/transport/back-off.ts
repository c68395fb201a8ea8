const FIRST_MS = 200;
const LONGEST_MS = 10_000;

/**
 * How long to wait before the attempt after this one: twice as long each time, spread so that not
 * all callers come back at once.
 */
export function backOffMs(attempt: number, random: number): number {
  const full = Math.min(LONGEST_MS, FIRST_MS * 2 ** attempt);
  return Math.round(full / 2 + (full / 2) * random);
}

// When a message that was not taken is tried again.

const FIRST_MICROS = 10_000_000;
const MOST_MICROS = 30 * 60_000_000;
export const MAX_ATTEMPTS = 60;

export interface FailedAttempt {
  readonly nowMicros: number;
  /** How many there have been, this one included. */
  readonly attempts: number;
  readonly giveUpMicros: number;
  /** What the other side asked for. */
  readonly retryAfterMicros: number | null;
  /** From 0 to 1; keeps messages that failed together from coming back together. */
  readonly random: number;
}

/** The time of the next attempt; null when there is none. */
export function nextAttemptMicros(failed: FailedAttempt): number | null {
  const { nowMicros, attempts, giveUpMicros, retryAfterMicros, random } = failed;
  if (attempts >= MAX_ATTEMPTS) return null;
  const whole = Math.min(FIRST_MICROS * 2 ** Math.min(attempts - 1, 20), MOST_MICROS);
  const delay = Math.round(whole * (0.5 + random / 2));
  const asked =
    retryAfterMicros === null ? 0 : Math.round(retryAfterMicros + random * FIRST_MICROS);
  const next = nowMicros + Math.max(delay, asked);
  return next > giveUpMicros ? null : next;
}

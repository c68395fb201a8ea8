// When to try again, decided without a clock: values in, values out.

/**
 * Seconds before each further attempt: always the same, one for each, or whatever the function
 * says.
 */
export type RetryDelay = number | readonly number[] | ((attempt: number, error: Error) => number);

export interface RetryOptions {
  /** How many further attempts there are after the first. @default 0 */
  readonly retries?: number | undefined;
  /**
   * Seconds before a further attempt; the last number of a list stands for all that follow.
   * @default 0
   */
  readonly retryDelaySeconds?: RetryDelay | undefined;
  /** Spreads each delay by up to this share of it, so that not all come back at once. @default 0 */
  readonly retryJitter?: number | undefined;
  /** Whether this error is worth another attempt. @default every error is */
  readonly retryIf?: ((error: Error, attempt: number) => boolean | Promise<boolean>) | undefined;
}

/** Seconds before the attempt that follows attempt number `attempt` (from 1). */
export function retryDelaySeconds(
  options: RetryOptions,
  failure: { readonly attempt: number; readonly error: Error; readonly random: number },
): number {
  const { attempt, error, random } = failure;
  const base = baseDelay(options.retryDelaySeconds ?? 0, attempt, error);
  const jitter = options.retryJitter ?? 0;
  return Math.max(0, base + base * jitter * random);
}

function baseDelay(delay: RetryDelay, attempt: number, error: Error): number {
  if (typeof delay === "number") return delay;
  if (typeof delay === "function") return delay(attempt, error);
  return delay[Math.min(attempt, delay.length) - 1] ?? 0;
}

/** Twice as long each time: `retryDelaySeconds: exponentialBackoff(2)` waits 2, 4, 8, … seconds. */
export function exponentialBackoff(
  firstSeconds: number,
  maxSeconds: number = 3600,
): (attempt: number) => number {
  return (attempt) => Math.min(maxSeconds, firstSeconds * 2 ** (attempt - 1));
}

export async function passesRetryCondition(
  options: RetryOptions,
  error: Error,
  attempt: number,
): Promise<boolean> {
  if (attempt > (options.retries ?? 0)) return false;
  return options.retryIf === undefined || (await options.retryIf(error, attempt));
}

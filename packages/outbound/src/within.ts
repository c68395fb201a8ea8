export interface AttemptLimits {
  readonly timeoutMs: number;
  /** Aborted when the server stops; the attempt then has a little time left to hear its answer. */
  readonly stopping: AbortSignal;
  readonly graceMs: number;
}

/** Gives the work a signal that is aborted when its time is over. */
export async function withTimeLimits<T>(
  { timeoutMs, stopping, graceMs }: AttemptLimits,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const attempt = new AbortController();
  const timers = [
    setTimeout(() => attempt.abort(new DOMException("Too late", "TimeoutError")), timeoutMs),
  ];
  const stop = (): void => {
    timers.push(setTimeout(() => attempt.abort(), graceMs));
  };
  if (stopping.aborted) stop();
  else stopping.addEventListener("abort", stop, { once: true });
  try {
    return await work(attempt.signal);
  } finally {
    stopping.removeEventListener("abort", stop);
    for (const timer of timers) clearTimeout(timer);
  }
}

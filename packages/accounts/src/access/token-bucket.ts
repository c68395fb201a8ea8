/** How much may be done: `perMinute` in the long run, `burst` at once. */
export interface Allowance {
  readonly perMinute: number;
  readonly burst: number;
}

interface Bucket {
  tokens: number;
  at: number;
}

const MINUTE_MS = 60_000;

/** What is left of an allowance. */
export interface Left {
  readonly isTaken: boolean;
  readonly tokens: number;
  /** Until there is one again; 0 where there is. */
  readonly waitMs: number;
}

/** Buckets of tokens by name, in memory. Those that are full again are forgotten when there are many. */
export class TokenBuckets {
  readonly #buckets = new Map<string, Bucket>();
  readonly #most: number;
  readonly #now: () => number;

  constructor(most: number, now: () => number = () => performance.now()) {
    this.#most = most;
    this.#now = now;
  }

  take(name: string, { perMinute, burst }: Allowance): Left {
    const now = this.#now();
    let bucket = this.#buckets.get(name);
    if (bucket === undefined) {
      this.#makeRoom();
      bucket = { tokens: burst, at: now };
      this.#buckets.set(name, bucket);
    }
    const perMs = perMinute / MINUTE_MS;
    const tokens = Math.min(burst, bucket.tokens + (now - bucket.at) * perMs);
    bucket.at = now;
    const isTaken = tokens >= 1;
    bucket.tokens = isTaken ? tokens - 1 : tokens;
    const left = bucket.tokens;
    return { isTaken, tokens: Math.floor(left), waitMs: left >= 1 ? 0 : (1 - left) / perMs };
  }

  /** Whoever comes back after being forgotten begins anew, so the ones that were not used for longest go first. */
  #makeRoom(): void {
    if (this.#buckets.size < this.#most) return;
    const byAge = [...this.#buckets].sort(([, a], [, b]) => a.at - b.at);
    for (const [name] of byAge.slice(0, Math.ceil(this.#most / 4))) this.#buckets.delete(name);
  }
}

/** How much may be done: `perMinute` in the long run, `burst` at once. */
export interface TokenRate {
  readonly perMinute: number;
  readonly burst: number;
}

interface Bucket {
  tokens: number;
  at: number;
}

const MINUTE_MS = 60_000;

/** What is left in a bucket. */
export interface TokensLeft {
  readonly isTaken: boolean;
  readonly tokens: number;
  /** Until there is one again; 0 where there is. */
  readonly waitMs: number;
}

/**
 * Token buckets by name, in memory. Where there are too many, those that were not used for longest
 * are forgotten.
 */
export class TokenBuckets {
  readonly #buckets = new Map<string, Bucket>();
  readonly #most: number;
  readonly #now: () => number;

  constructor(most: number, now: () => number = () => performance.now()) {
    this.#most = most;
    this.#now = now;
  }

  /**
   * Takes `cost` where there is a token at all: what costs more than there is leaves a debt, or it
   * could never be had.
   */
  take(name: string, rate: TokenRate, cost = 1): TokensLeft {
    const bucket = this.#filled(name, rate);
    const isTaken = bucket.tokens >= 1;
    if (isTaken) bucket.tokens -= cost;
    return {
      isTaken,
      tokens: Math.max(0, Math.floor(bucket.tokens)),
      waitMs: waitOf(bucket, rate),
    };
  }

  /** Takes `cost` in any case, of something that is under way already. */
  charge(name: string, rate: TokenRate, cost: number): void {
    this.#filled(name, rate).tokens -= cost;
  }

  #filled(name: string, { perMinute, burst }: TokenRate): Bucket {
    const now = this.#now();
    let bucket = this.#buckets.get(name);
    if (bucket === undefined) {
      this.#makeRoom();
      bucket = { tokens: burst, at: now };
      this.#buckets.set(name, bucket);
      return bucket;
    }
    bucket.tokens = Math.min(burst, bucket.tokens + ((now - bucket.at) * perMinute) / MINUTE_MS);
    bucket.at = now;
    return bucket;
  }

  /**
   * Whoever comes back after being forgotten begins anew, so the ones that were not used for
   * longest go first.
   */
  #makeRoom(): void {
    if (this.#buckets.size < this.#most) return;
    const byAge = [...this.#buckets].sort(([, a], [, b]) => a.at - b.at);
    for (const [name] of byAge.slice(0, Math.ceil(this.#most / 4))) this.#buckets.delete(name);
  }
}

const waitOf = ({ tokens }: Bucket, { perMinute }: TokenRate): number =>
  tokens >= 1 ? 0 : ((1 - tokens) * MINUTE_MS) / perMinute;

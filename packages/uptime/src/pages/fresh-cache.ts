import type { Clock } from "@orchestrator/kernel/pure";

interface Entry<Value> {
  readonly at: number;
  readonly value: Value;
}

export interface FreshCacheOptions {
  readonly clock: Clock;
  /** How long a value may be handed out. */
  readonly freshMs: number;
  /** How many are kept at most. */
  readonly most: number;
}

/**
 * Answers that are the same for everybody, kept for a moment, so that a crowd costs no more than
 * one reader. Whoever asks while an answer is worked out waits for the same one. That there is
 * nothing is not kept: those who guess would push out what others need.
 */
export class FreshCache<Value> {
  readonly #options: FreshCacheOptions;
  #entries = new Map<string, Entry<Value>>();
  #loading = new Map<string, Promise<Value | null>>();

  constructor(options: FreshCacheOptions) {
    this.#options = options;
  }

  get(key: string, load: () => Promise<Value | null>): Promise<Value | null> {
    const known = this.#entries.get(key);
    if (known !== undefined && this.#isFresh(known)) return Promise.resolve(known.value);
    const underWay = this.#loading.get(key);
    if (underWay !== undefined) return underWay;
    const loading = this.#load(key, load);
    this.#loading.set(key, loading);
    return loading;
  }

  /** Also what is being worked out is of no use any more. */
  clear(): void {
    this.#entries = new Map();
    this.#loading = new Map();
  }

  async #load(key: string, load: () => Promise<Value | null>): Promise<Value | null> {
    const entries = this.#entries;
    const loading = this.#loading;
    const at = this.#options.clock.nowMicros();
    try {
      const value = await load();
      entries.delete(key);
      if (value !== null) entries.set(key, { at, value });
      for (const oldest of entries.keys()) {
        if (entries.size <= this.#options.most) break;
        entries.delete(oldest);
      }
      return value;
    } finally {
      loading.delete(key);
    }
  }

  #isFresh({ at }: Entry<Value>): boolean {
    const { clock, freshMs } = this.#options;
    // A clock that was set back makes nothing younger.
    const age = clock.nowMicros() - at;
    return age >= 0 && age < freshMs * 1000;
  }
}

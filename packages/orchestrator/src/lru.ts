export interface LruLimits {
  readonly entries: number;
  /** How many characters all keys may have together: what is kept grows with them. */
  readonly keyCharacters: number;
}

/** Keeps what was used last, up to a bound. */
export class Lru<Value> {
  readonly #limits: LruLimits;
  // A Map remembers the order of insertion; what is used is inserted again, so the first is the
  // oldest.
  readonly #values = new Map<string, Value>();
  #characters = 0;

  constructor(limits: LruLimits) {
    this.#limits = limits;
  }

  get size(): number {
    return this.#values.size;
  }

  get(key: string): Value | undefined {
    const value = this.#values.get(key);
    if (value === undefined) return undefined;
    this.#values.delete(key);
    this.#values.set(key, value);
    return value;
  }

  set(key: string, value: Value): void {
    this.#remove(key);
    this.#values.set(key, value);
    this.#characters += key.length;
    for (const oldest of this.#values.keys()) {
      const fits =
        this.#values.size <= this.#limits.entries && this.#characters <= this.#limits.keyCharacters;
      if (fits || oldest === key) break;
      this.#remove(oldest);
    }
  }

  #remove(key: string): void {
    if (this.#values.delete(key)) this.#characters -= key.length;
  }
}

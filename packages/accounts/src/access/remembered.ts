import type { AccessChanges } from "./access-changes.ts";

const MAX_REMEMBERED = 10_000;

/**
 * What credentials open, by their hash, so that a request costs no query. All of it is forgotten when anything about
 * access has changed: changes are rare, and no list of what depends on what can be wrong.
 */
export class Remembered<Value> {
  readonly #changes: AccessChanges;
  readonly #lookUp: (hash: string) => Promise<Value | null>;
  readonly #known = new Map<string, Value>();
  #generation = 0;

  constructor(changes: AccessChanges, lookUp: (hash: string) => Promise<Value | null>) {
    this.#changes = changes;
    this.#lookUp = lookUp;
    changes.onChange(() => {
      this.#generation += 1;
      this.#known.clear();
    });
  }

  /** Null where there is no such thing. Answers at once for what is known. */
  find(hash: string): Value | null | Promise<Value | null> {
    if (!this.#changes.isFresh()) return this.#changes.check().then(() => this.#look(hash));
    return this.#known.get(hash) ?? this.#look(hash);
  }

  forget(hash: string): void {
    this.#known.delete(hash);
  }

  async #look(hash: string): Promise<Value | null> {
    const known = this.#known.get(hash);
    if (known !== undefined) return known;
    const generation = this.#generation;
    const found = await this.#lookUp(hash);
    if (found !== null && generation === this.#generation) this.#remember(hash, found);
    return found;
  }

  #remember(hash: string, value: Value): void {
    const [oldest] = this.#known.keys();
    if (this.#known.size >= MAX_REMEMBERED && oldest !== undefined) this.#known.delete(oldest);
    this.#known.set(hash, value);
  }
}

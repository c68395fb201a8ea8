import type { AccessChanges } from "./access-changes.ts";

const MAX_REMEMBERED = 10_000;

/**
 * What credentials open, by their hash, so that a request costs no query. All of it is forgotten
 * when anything about access has changed: changes are rare, and no list of what depends on what can
 * be wrong.
 */
export class CredentialCache<Value> {
  readonly #changes: AccessChanges;
  readonly #lookUp: (hash: string) => Promise<Value | null>;
  readonly #known = new Map<string, Value>();
  /**
   * One for all who ask meanwhile: after a change every open socket asks at once, and most have the
   * same key.
   */
  readonly #underWay = new Map<string, Promise<Value | null>>();

  constructor(changes: AccessChanges, lookUp: (hash: string) => Promise<Value | null>) {
    this.#changes = changes;
    this.#lookUp = lookUp;
    changes.onChange(() => {
      this.#known.clear();
      this.#underWay.clear();
    });
  }

  /** Null where there is no such thing. Answers at once for what is known. */
  find(hash: string): Value | null | Promise<Value | null> {
    if (!this.#changes.isFresh()) return this.#changes.check().then(() => this.#look(hash));
    return this.#look(hash);
  }

  forget(hash: string): void {
    this.#known.delete(hash);
  }

  #look(hash: string): Value | null | Promise<Value | null> {
    return this.#known.get(hash) ?? this.#underWay.get(hash) ?? this.#begin(hash);
  }

  #begin(hash: string): Promise<Value | null> {
    const begun = this.#lookUp(hash).then(
      (found) => {
        if (this.#end(hash, begun) && found !== null) this.#remember(hash, found);
        return found;
      },
      (error: unknown) => {
        this.#end(hash, begun);
        throw error;
      },
    );
    this.#underWay.set(hash, begun);
    return begun;
  }

  /**
   * False where something has changed since it was begun: what it finds is not good for anybody
   * else.
   */
  #end(hash: string, begun: Promise<Value | null>): boolean {
    return this.#underWay.get(hash) === begun && this.#underWay.delete(hash);
  }

  #remember(hash: string, value: Value): void {
    const [oldest] = this.#known.keys();
    if (this.#known.size >= MAX_REMEMBERED && oldest !== undefined) this.#known.delete(oldest);
    this.#known.set(hash, value);
  }
}

import type { Database } from "@orchestrator/kernel/storage";
import { ACCESS_TOPIC, readAccessRevision } from "./access.store.ts";

/**
 * A call about a change can be lost with the connection it comes over; then it is noticed after so
 * long.
 */
const MAX_AGE_MS = 1000;

/** Hears of changes of who may do what, on any replica. */
export class AccessChanges {
  readonly #db: Database;
  readonly #listeners = new Set<() => void>();
  #revision: number | null = null;
  #checkedAt = 0;
  #check: Promise<void> | null = null;

  constructor(db: Database) {
    this.#db = db;
    db.wakeUps.on(ACCESS_TOPIC, () => this.#tell());
  }

  onChange(listener: () => void): void {
    this.#listeners.add(listener);
  }

  /** Whether what is remembered can be relied upon; if not, `check` makes sure. */
  isFresh(): boolean {
    if (!this.#db.dialect.isRemote) return true;
    return performance.now() - this.#checkedAt < MAX_AGE_MS;
  }

  check(): Promise<void> {
    this.#check ??= (async () => {
      const asked = performance.now();
      const revision = await readAccessRevision(this.#db);
      if (this.#revision !== null && revision !== this.#revision) this.#tell();
      this.#revision = revision;
      this.#checkedAt = asked;
    })().finally(() => {
      this.#check = null;
    });
    return this.#check;
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

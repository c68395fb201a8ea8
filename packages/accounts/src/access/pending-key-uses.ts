import { formatMicros } from "@orchestrator/kernel/pure";
import type { Database, SystemTransaction } from "@orchestrator/kernel/storage";

export interface Use {
  readonly id: string;
  readonly at: string;
}

/**
 * When something was used last, until a loop writes it down: a request that uses it writes nothing.
 */
export class PendingKeyUses {
  readonly #db: Database;
  readonly #write: (tx: SystemTransaction, use: Use) => Promise<void>;
  #uses = new Map<string, number>();

  constructor(db: Database, write: (tx: SystemTransaction, use: Use) => Promise<void>) {
    this.#db = db;
    this.#write = write;
  }

  note(id: string, micros: number): void {
    this.#uses.set(id, micros);
  }

  async flush(): Promise<void> {
    if (this.#uses.size === 0) return;
    const uses = this.#uses;
    this.#uses = new Map();
    // In one order, so that two replicas do not wait for each other.
    const inOrder = [...uses].sort(([a], [b]) => (a < b ? -1 : 1));
    try {
      await this.#db.writeSystem(async (tx) => {
        for (const [id, micros] of inOrder) await this.#write(tx, { id, at: formatMicros(micros) });
      });
    } catch (error) {
      // The next time; what has been used since was used later.
      this.#uses = new Map([...uses, ...this.#uses]);
      throw error;
    }
  }
}

import { TokenBuckets } from "@orchestrator/kernel/http";
import type { Logger } from "@orchestrator/kernel/log";
import { isAppError } from "@orchestrator/kernel/pure";
import type { Database } from "@orchestrator/kernel/storage";
import type { AuditRow } from "../db/tables.ts";
import { insertAuditRow } from "./audit.store.ts";

/** Whoever is refused again and again says nothing new. */
const REFUSALS = { perMinute: 30, burst: 60 };
/** Of all together whom nobody knows: they have as many addresses and emails as they like. */
const STRANGERS = { perMinute: 60, burst: 300 };
const MOST_ACTORS = 10_000;
const MOST_WAITING = 5000;
const BATCH = 100;

/** Stores entries that no change carries with it. */
export class AuditLog {
  readonly #db: Database;
  readonly #log: Logger;
  readonly #refusals = new TokenBuckets(MOST_ACTORS);
  #waiting: AuditRow[] = [];
  #lost = 0;
  #flushing: Promise<void> | null = null;

  constructor({ db, log }: { readonly db: Database; readonly log: Logger }) {
    this.#db = db;
    this.#log = log;
  }

  /** For what must not be answered before it is noted. */
  store(row: AuditRow): Promise<void> {
    return this.#db.writeSystem(async (tx) => insertAuditRow(tx, row));
  }

  /** For what changed nothing: stored soon, together with others, and not without end. */
  note(row: AuditRow): void {
    const actor = row.api_key_id ?? row.actor_id ?? row.address;
    const isHeard =
      this.#refusals.take(actor, REFUSALS).isTaken &&
      (row.actor_kind !== "unknown" || this.#refusals.take("strangers", STRANGERS).isTaken);
    if (isHeard && this.#waiting.length < MOST_WAITING) this.#waiting.push(row);
    else this.#lost += 1;
  }

  async flush(): Promise<void> {
    this.#tellLost();
    this.#flushing ??= this.#storeWaiting().finally(() => {
      this.#flushing = null;
    });
    await this.#flushing;
  }

  /** What cannot be stored at the end is lost: it changed nothing. */
  async flushLast(): Promise<void> {
    await this.flush().catch((error: unknown) => {
      this.#log.warn({ err: error }, "Some refused requests could not be noted");
    });
  }

  async #storeWaiting(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.slice(0, BATCH);
      await this.#storeBatch(batch);
      this.#waiting = this.#waiting.slice(batch.length);
    }
  }

  /** An entry that the database does not take must not keep out those beside it. */
  async #storeBatch(batch: readonly AuditRow[]): Promise<void> {
    try {
      await this.#db.writeSystem(async (tx) => {
        for (const row of batch) insertAuditRow(tx, row);
      });
    } catch (error) {
      if (isAppError(error, "unavailable")) throw error;
      for (const row of batch) await this.#storeOrDrop(row);
    }
  }

  async #storeOrDrop(row: AuditRow): Promise<void> {
    try {
      await this.store(row);
    } catch (error) {
      if (isAppError(error, "unavailable")) throw error;
      const { operation, request_id } = row;
      this.#log.error({ err: error, operation, request_id }, "A refused request cannot be noted");
    }
  }

  #tellLost(): void {
    if (this.#lost === 0) return;
    this.#log.warn({ count: this.#lost }, "Refused requests were too many to be noted one by one");
    this.#lost = 0;
  }
}

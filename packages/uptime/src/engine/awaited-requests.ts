// Waits for checks that other processes were asked for. Very many may be waited for at once, so all
// of them are looked for together: if each asked for itself whenever one is done, a hundred would
// ask ten thousand times.

import { sleep } from "@orchestrator/kernel/pure";
import type { Database } from "@orchestrator/kernel/storage";
import type { CheckRequestRow } from "../db/tables/engine.table.ts";
import { listOpenRequests } from "./check-requests.store.ts";
import { ENGINE_TOPIC } from "./lease.ts";

interface Waiting extends CheckRequestRow {
  /**
   * A thousand may have the same, which is looked at with all else: it would not take so many
   * listeners.
   */
  readonly signal: AbortSignal | undefined;
  readonly end: () => void;
}

export interface PollTimeouts {
  readonly patienceMs: number;
  /** Fires when nobody waits any more. */
  readonly signal?: AbortSignal | undefined;
}

/** A nudge that is lost costs no more than this. */
const LOOK_MS = 500;
/** Nudges that come together are one. */
const PAUSE_MS = 20;

const watches = new WeakMap<Database, AwaitedRequests>();

/** Those that are awaited by this process. */
export function awaitedRequests(db: Database): AwaitedRequests {
  const known = watches.get(db) ?? new AwaitedRequests(db);
  watches.set(db, known);
  return known;
}

class AwaitedRequests {
  readonly #db: Database;
  readonly #waiting = new Set<Waiting>();
  #isLooking = false;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Ends when the request is no more, or there is no more patience. */
  async gone(request: CheckRequestRow, { patienceMs, signal }: PollTimeouts): Promise<void> {
    const over = new AbortController();
    const waiting = { ...request, signal, end: () => over.abort() };
    this.#waiting.add(waiting);
    if (!this.#isLooking) void this.#look();
    await sleep(patienceMs, over.signal);
    this.#waiting.delete(waiting);
  }

  /** Never rejects. */
  async #look(): Promise<void> {
    this.#isLooking = true;
    let woken = new AbortController();
    const stopListening = this.#db.wakeUps.on(ENGINE_TOPIC, () => woken.abort());
    while (this.#waiting.size > 0) {
      woken = new AbortController();
      // Those that are added meanwhile were perhaps not there yet when it was read.
      const asked = [...this.#waiting];
      try {
        const open = new Map<string, string>();
        for (const { monitor_id, requested_at } of await listOpenRequests(this.#db))
          open.set(monitor_id, requested_at);
        for (const each of asked)
          if (each.signal?.aborted || open.get(each.monitor_id) !== each.requested_at) each.end();
      } catch {
        // The database is away for a moment; whoever has no more patience asks it, and tells.
      }
      await sleep(PAUSE_MS);
      await sleep(LOOK_MS, woken.signal);
    }
    stopListening();
    this.#isLooking = false;
  }
}

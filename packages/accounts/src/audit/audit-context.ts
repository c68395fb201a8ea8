import { AsyncLocalStorage } from "node:async_hooks";
import type { AuditRow } from "../db/tables.ts";

/** The entry that a request will leave, carried along with all that is done for it. */
export interface PendingEntry {
  /** What is known of it before it is done. */
  readonly row: AuditRow;
  /**
   * `open`: nothing of it is stored. `claimed`: a transaction under way holds it. `stored`: it was
   * committed with a change. `over`: the request is answered; whatever still runs in its name
   * leaves no entry.
   */
  state: "open" | "claimed" | "stored" | "over";
  /** Whether it makes something, whose id is what the entry is about. */
  readonly mayCreate: boolean;
  /** What the transaction that holds it has made, as far as can be seen. */
  createdId: string | null;
}

const storage = new AsyncLocalStorage<PendingEntry>();
let underWay = 0;

/** Does the rest of a request in the name of its entry, until `leave`. */
export function enterAuditEntry(entry: PendingEntry, rest: () => void): void {
  underWay += 1;
  storage.run(entry, rest);
}

/**
 * Following a request through every promise costs all of the process, so it ends with the last
 * request that needs it.
 */
export function endAuditEntry(entry: PendingEntry): void {
  entry.state = "over";
  underWay -= 1;
  if (underWay === 0) storage.disable();
}

/** The entry that is still to be stored by whoever writes now. */
export function openEntry(): PendingEntry | null {
  if (underWay === 0) return null;
  const entry = storage.getStore();
  return entry?.state === "open" ? entry : null;
}

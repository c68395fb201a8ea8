import type { Database } from "../storage/database.ts";
import { systemStatement } from "../storage/tables.ts";
import { readHead } from "./read.ts";

const selectFrom = systemStatement<{ position: number }>()((db, p) =>
  db
    .selectFrom("events")
    .select(["position", "received"])
    .where("position", ">=", p.position)
    .orderBy("position")
    .limit(1),
);

/**
 * The position of the last event received before a moment: those received since then lie behind it,
 * also those that are being written. Events are received in the order of their positions but for
 * those written at the same time, so a few steps find it however long the log is.
 */
export async function findPosition(db: Database, since: string): Promise<number> {
  let low = 1;
  let high = (await readHead(db)) + 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const found = await db.system.get(selectFrom, { position: middle });
    if (found === undefined || found.received >= since) high = middle;
    else low = found.position + 1;
  }
  return low - 1;
}

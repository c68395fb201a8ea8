import type { Clock } from "../clock/clock.ts";
import { formatMicros } from "../clock/timestamp.ts";
import type { Database } from "../storage/database.ts";
import { systemStatement } from "../storage/tables.ts";
import { readSlowestCursor } from "./cursor.ts";

const BATCH = 1000;

const selectOldest = systemStatement<{ limit: number }>()((db, p) =>
  db.selectFrom("events").select(["position", "received"]).orderBy("position").limit(p.limit),
);

const deleteUpTo = systemStatement<{ position: number }>()((db, p) =>
  db.deleteFrom("events").where("position", "<=", p.position),
);

/** Deletes events older than the retention, oldest first, in small transactions; never one that a consumer has still to see. */
export async function deleteExpiredEvents(
  db: Database,
  clock: Clock,
  { keepMs, signal }: { readonly keepMs: number; readonly signal: AbortSignal },
): Promise<number> {
  const cutoff = formatMicros(clock.nowMicros() - keepMs * 1000);
  const seenByAll = (await readSlowestCursor(db)) ?? Number.MAX_SAFE_INTEGER;
  let deleted = 0;
  while (!signal.aborted) {
    const oldest = await db.system.all(selectOldest, { limit: BATCH });
    const firstKept = oldest.findIndex((row) => row.received >= cutoff || row.position > seenByAll);
    const expired = firstKept === -1 ? oldest : oldest.slice(0, firstKept);
    const last = expired.at(-1);
    if (last === undefined) break;
    deleted += await db.writeSystem((tx) => tx.run(deleteUpTo, { position: last.position }));
  }
  return deleted;
}

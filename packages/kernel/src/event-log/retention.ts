import { sql } from "kysely";
import type { Clock } from "../clock/clock.ts";
import { formatMicros } from "../clock/timestamp.ts";
import type { Database } from "../storage/database.ts";
import { systemStatement } from "../storage/tables.ts";
import { readSlowestCursor } from "./cursor.ts";

const BATCH = 1000;
const DAY_MICROS = 86_400_000_000;

const selectOldest = systemStatement<{ limit: number }>()((db, p) =>
  db.selectFrom("events").select(["position", "received"]).orderBy("position").limit(p.limit),
);

const deleteUpTo = systemStatement<{ position: number }>()((db, p) =>
  db.deleteFrom("events").where("position", "<=", p.position),
);

const selectOldSet = systemStatement<{ before: string }>()((db, p) =>
  db.selectFrom("event_related").select("set_id").where("written", "<", p.before).limit(1),
);

/** Sets of related resources that no event of their day names any more. */
const deleteUnused = systemStatement<{ before: string; limit: number }>()((db, p) =>
  db.deleteFrom("event_related").where(
    sql<boolean>`(workspace_id, set_id, day) in (
      select distinct old.workspace_id, old.set_id, old.day from event_related old
      where old.written < ${p.before} and not exists (
        select 1 from events
        where events.workspace_id = old.workspace_id and events.related_id = old.set_id
          and events.occurred >= old.day and events.occurred < old.day || 'U'
      )
      limit ${p.limit}
    )`,
  ),
);

interface Retention {
  readonly keepMs: number;
  readonly signal: AbortSignal;
}

/** Deletes events older than the retention, oldest first, in small transactions; never one that a consumer has still to see. */
export async function deleteExpiredEvents(
  db: Database,
  clock: Clock,
  { keepMs, signal }: Retention,
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
  // A day more: by then hardly an event of their day can be on its way.
  const before = formatMicros(clock.nowMicros() - keepMs * 1000 - DAY_MICROS);
  while (!signal.aborted && (await db.system.get(selectOldSet, { before })) !== undefined) {
    const unused = await db.writeSystem((tx) => tx.run(deleteUnused, { before, limit: BATCH }));
    if (unused === 0) break;
  }
  return deleted;
}

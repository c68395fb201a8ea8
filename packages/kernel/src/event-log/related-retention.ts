import { sql } from "kysely";
import type { Database } from "../storage/database.ts";
import { systemStatement } from "../storage/tables.ts";

interface SetKey {
  readonly written: string;
  readonly workspace_id: string;
  readonly set_id: string;
  readonly day: string;
}

const BATCH = 500;
/** Of one pass: sets that are in use are looked at again and again. */
const MAX_BATCHES = 20;
const NIL = "00000000-0000-0000-0000-000000000000";
const START: SetKey = { written: "", workspace_id: NIL, set_id: NIL, day: "" };

const selectOld = systemStatement<SetKey & { before: string; limit: number }>()((db, p) =>
  db
    .selectFrom("event_related")
    .select(["written", "workspace_id", "set_id", "day"])
    .distinct()
    .where("written", "<", p.before)
    .where(
      sql<boolean>`(written, workspace_id, set_id, day) > (${p.written}, ${p.workspace_id}, ${p.set_id}, ${p.day})`,
    )
    .orderBy("written")
    .orderBy("workspace_id")
    .orderBy("set_id")
    .orderBy("day")
    .limit(p.limit),
);

/** Those of some sets, a JSON array, that no event of their day names any more. */
const deleteUnused = systemStatement<{ rows: string }>()((db, p, dialect) =>
  db.deleteFrom("event_related").where(
    sql<boolean>`(workspace_id, set_id, day) in (
      select old.workspace_id, old.set_id, old.day
      from ${dialect.rowsFrom({ workspace_id: "id", set_id: "id", day: "text" }, p.rows)} old
      where not exists (
        select 1 from events
        where events.workspace_id = old.workspace_id and events.related_id = old.set_id
          and events.occurred >= old.day and events.occurred < old.day || 'U'
      )
    )`,
  ),
);

/**
 * Deletes sets of related resources that were written before a moment and that no event names any
 * more.
 */
export function createSetRetention(
  db: Database,
): (before: string, signal: AbortSignal) => Promise<void> {
  let after = START;
  return async (before, signal) => {
    for (let batch = 0; batch < MAX_BATCHES && !signal.aborted; batch += 1) {
      const sets = await db.system.all(selectOld, { ...after, before, limit: BATCH });
      if (sets.length > 0)
        await db.writeSystem((tx) => tx.run(deleteUnused, { rows: JSON.stringify(sets) }));
      after = sets.at(-1) ?? START;
      if (sets.length < BATCH) {
        after = START;
        return;
      }
    }
  };
}

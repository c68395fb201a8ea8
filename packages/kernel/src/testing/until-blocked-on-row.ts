import { sql } from "kysely";
import type { Database } from "../storage/database.ts";
import { systemStatement } from "../storage/tables.ts";

const selectWaiting = systemStatement()((db) =>
  db
    .selectFrom(
      sql<{ pid: number }>`(
        select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
      )`.as("waiting"),
    )
    .select("waiting.pid"),
);

/** Until somebody waits for a row that another holds; at once where the engine locks no rows. */
export async function untilBlockedOnRow(db: Database): Promise<void> {
  if (!db.dialect.locksRows) return;
  while ((await db.system.all(selectWaiting, {})).length === 0);
}

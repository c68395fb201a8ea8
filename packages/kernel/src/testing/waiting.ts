import { sql } from "kysely";
import type { Database } from "../storage/database.ts";
import { systemStatement } from "./things.ts";

const selectWaiting = systemStatement()((db) =>
  db
    .selectFrom(
      sql<{ pid: number }>`(
        select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
      )`.as("waiting"),
    )
    .select((e) => e.fn.countAll<number>().as("count")),
);

/** How many connections to this PostgreSQL database wait for a lock that another holds. */
export async function countWaiting(db: Database): Promise<number | undefined> {
  return (await db.system.get(selectWaiting, {}))?.count;
}

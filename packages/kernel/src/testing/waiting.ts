import type { Database } from "../storage/database.ts";
import { W1 } from "./things.ts";

/** How many connections to this PostgreSQL database wait for a lock that another holds. */
export async function countWaiting(db: Database): Promise<number | undefined> {
  const sql = `select count(*) as waiting from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`;
  return (await db.in(W1).select<{ waiting: number }>({ sql, values: [] }))?.waiting;
}

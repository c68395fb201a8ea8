import type pg from "pg";
import { PRESENCE_LOCK } from "../storage/postgres/presence.ts";

/** Ends the connections by which processes hear of each other. */
export async function cutOffListeners(admin: pg.Client): Promise<void> {
  await admin.query(
    `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory'
      and database = (select oid from pg_database where datname = current_database())
      and (classid::bigint << 32) + objid::bigint = $1`,
    [PRESENCE_LOCK],
  );
}

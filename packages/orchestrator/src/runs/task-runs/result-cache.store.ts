import {
  type Database,
  idRows,
  idTable,
  type SystemTransaction,
} from "@orchestrator/kernel/storage";
import { sql } from "kysely";
import { systemStatement } from "../../db/tables.ts";

/** So many go in one transaction. */
const AT_ONCE = 1000;
const LIMIT = sql.lit(AT_ONCE);

/** Before every result. */
export const FIRST_RESULT = "00000000-0000-0000-0000-000000000000";

const removeExpired = systemStatement<{ now: string }>()((db, p) =>
  db
    .deleteFrom("task_run_cache")
    .where("id", "in", (e) =>
      e
        .selectFrom("task_run_cache as expired")
        .select("expired.id")
        .where("expired.expiration", "is not", null)
        .where("expired.expiration", "<=", p.now)
        .orderBy("expired.expiration")
        .limit(LIMIT),
    ),
);

/** Forgets some of the results that have expired. */
export function removeExpiredResults(tx: SystemTransaction, now: string): Promise<number> {
  return tx.run(removeExpired, { now });
}

const oldest = systemStatement()((db) =>
  db.selectFrom("task_run_cache").select("created").orderBy("id").limit(1),
);

/** When the oldest result was remembered. Ids count up with time. */
export async function findOldestResult(db: Database): Promise<string | null> {
  return (await db.system.get(oldest, {}))?.created ?? null;
}

const removeOld = systemStatement<{ before: string }>()((db, p) =>
  db.deleteFrom("task_run_cache").where("id", "in", (e) =>
    e
      .selectFrom((first) =>
        first
          .selectFrom("task_run_cache as remembered")
          .select(["remembered.id", "remembered.created"])
          .orderBy("remembered.id")
          .limit(LIMIT)
          .as("first"),
      )
      .select("first.id")
      .where("first.created", "<", p.before),
  ),
);

/** Forgets some of the results that were remembered before a time. */
export function deleteOldCachedResults(tx: SystemTransaction, before: string): Promise<number> {
  return tx.run(removeOld, { before });
}

const behind = systemStatement<{ after: string; before: string; limit: number }>()((db, p) =>
  db
    .selectFrom("task_run_cache")
    .select(["id", "workspace_id", "cache_key", "expiration"])
    .where("id", ">", p.after)
    .where("created", "<=", p.before)
    .orderBy("id")
    .limit(p.limit),
);

/** Results behind the one with the id that were remembered by a time, in that order. */
export function findCachedResults(
  db: Database,
  query: { readonly after: string; readonly before: string; readonly limit: number },
) {
  return db.system.all(behind, query);
}

const removeReplaced = systemStatement<{ ids: string }>()((db, p, dialect) =>
  db.deleteFrom("task_run_cache").where("id", "in", (e) =>
    e
      .selectFrom(idTable(dialect, p.ids))
      .crossJoin("task_run_cache as newer")
      .crossJoin("task_run_cache as older")
      .select("older.id")
      .whereRef("newer.id", "=", "listed.id")
      .whereRef("older.workspace_id", "=", "newer.workspace_id")
      .whereRef("older.cache_key", "=", "newer.cache_key")
      .whereRef("older.id", "<", "newer.id")
      .where((each) =>
        each.or([
          each("newer.expiration", "is", null),
          each("older.expiration", "<=", each.ref("newer.expiration")),
        ]),
      )
      .limit(LIMIT),
  ),
);

/**
 * Forgets some of the results that these have replaced: older ones of the same key that they
 * outlive.
 */
export function removeReplacedResults(
  tx: SystemTransaction,
  ids: readonly string[],
): Promise<number> {
  return tx.run(removeReplaced, { ids: idRows(ids) });
}

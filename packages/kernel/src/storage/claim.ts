import type { SelectQueryBuilder } from "kysely";
import type { Dialect } from "./dialect.ts";

/**
 * Limits a selection to rows that no other transaction is taking at this moment. Used inside
 * `update … where id in (unclaimed(select …))`, it hands each row to one of several claimers and makes
 * none of them wait.
 */
export function unclaimed<DB, TB extends keyof DB, O>(
  query: SelectQueryBuilder<DB, TB, O>,
  dialect: Dialect,
): SelectQueryBuilder<DB, TB, O> {
  return dialect.locksRows ? query.forUpdate().skipLocked() : query;
}

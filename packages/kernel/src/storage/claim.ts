import { type RawBuilder, type SelectQueryBuilder, sql } from "kysely";
import type { Dialect } from "./dialect.ts";

/**
 * Limits a selection to rows that no other transaction is taking at this moment. Used inside
 * `update … where id in unclaimed(select …)`, it hands each row to one of several claimers and
 * makes none of them wait. The rows are put into an array first: PostgreSQL may run a selection
 * that locks again for each row it compares, and would then take more than its limit.
 */
export function unclaimed<DB, TB extends keyof DB, O>(
  query: SelectQueryBuilder<DB, TB, O>,
  dialect: Dialect,
): RawBuilder<O[keyof O]> {
  return dialect.locksRows
    ? sql<O[keyof O]>`(select unnest(array(${query.forUpdate().skipLocked()})))`
    : sql<O[keyof O]>`${query}`;
}

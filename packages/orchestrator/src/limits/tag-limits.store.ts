import type { Queries } from "@orchestrator/kernel/storage";
import { sql } from "kysely";
import {
  CONCURRENCY_LIMITS,
  type ConcurrencyLimitRow,
} from "../db/tables/concurrency-limits.table.ts";
import { statement } from "../db/tables.ts";

const list = statement<{ limit: number; offset: number }>()((db, p) =>
  db
    .selectFrom("concurrency_limits")
    .select(CONCURRENCY_LIMITS.columns)
    .where("workspace_id", "=", p.workspace_id)
    // All names that begin with `tag:`, as a range of the index of names.
    .where("name", ">=", sql.lit("tag:"))
    .where("name", "<", sql.lit("tag;"))
    .orderBy("name")
    .limit(p.limit)
    .offset(p.offset),
);

export async function listTagLimitRows(
  queries: Queries,
  page: { readonly limit: number; readonly offset: number },
): Promise<ConcurrencyLimitRow[]> {
  return queries.all(list, page);
}

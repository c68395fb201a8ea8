import type { Queries } from "@orchestrator/kernel/storage";
import { sql } from "kysely";
import type { ConcurrencyLimitRow } from "../db/tables/concurrency-limits.table.ts";
import { statement } from "../db/tables.ts";
import { LIMIT_COLUMNS } from "./slot-rows.store.ts";

const list = statement<{ limit: number; offset: number }>()((db, p) =>
  db
    .selectFrom("concurrency_limits")
    .select(LIMIT_COLUMNS)
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

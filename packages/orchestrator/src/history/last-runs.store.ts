// The last runs of many flows or deployments at once: each is asked for its own, so that a busy one
// hides none of a quiet one's.

import type { LastRun } from "@orchestrator/contract";
import {
  type Fields,
  idRows,
  idTable,
  type Queries,
  recordSql,
} from "@orchestrator/kernel/storage";
import { sql } from "kysely";
import { ESTIMATED_RUN_TIME } from "../db/tables/flow-runs.table.ts";
import { statement } from "../db/tables.ts";

const LAST_RUN_FIELDS: Fields = {
  id: "id",
  name: "text",
  state_type: "text",
  state_name: "text",
  expected_start_time: "time",
  start_time: "time",
  estimated_run_time: ESTIMATED_RUN_TIME,
};

interface LastRunsSelection {
  /** A JSON array of objects with an `id`. */
  readonly ids: string;
  readonly limit: number;
  readonly now: string;
}

/**
 * Both columns lead an index that goes on with the expected start: the newest are read off its end.
 * Workspaces are compared in a way that no index serves, or PostgreSQL may walk through the runs of
 * all owners to find those of one.
 */
const lastRunsBy = (column: "flow_id" | "deployment_id") =>
  statement<LastRunsSelection>()((db, p, dialect) => {
    const newest = sql`
      select id, name, state_type, state_name, state_timestamp, expected_start_time, start_time, total_run_time
      from flow_runs
      where workspace_id is not distinct from ${p.workspace_id} and ${sql.ref(column)} = listed.id and state_type <> 'SCHEDULED'
      order by expected_start_time desc limit ${p.limit}`;
    const record = recordSql(dialect, { fields: LAST_RUN_FIELDS, table: "runs", now: p.now });
    const joined = sql.raw(dialect.joined("record"));
    return db
      .selectFrom(idTable(dialect, p.ids))
      .select([
        "listed.id",
        sql<string>`(select concat('[', ${joined}, ']') from (select ${record} as record from (${newest}) runs) records)`.as(
          "runs",
        ),
      ]);
  });

const STATEMENTS = {
  flow: lastRunsBy("flow_id"),
  deployment: lastRunsBy("deployment_id"),
} as const;

/** The latest first, by the id of what they are runs of. */
export async function findLastRuns(
  queries: Queries,
  owner: keyof typeof STATEMENTS,
  {
    ids,
    limit,
    now,
  }: { readonly ids: readonly string[]; readonly limit: number; readonly now: string },
): Promise<Record<string, LastRun[]>> {
  const rows = await queries.all(STATEMENTS[owner], { ids: idRows(ids), limit, now });
  return Object.fromEntries(rows.map(({ id, runs }) => [id, JSON.parse(runs) as LastRun[]]));
}

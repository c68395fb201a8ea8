import { formatMicros } from "@orchestrator/kernel/pure";
import type { Queries } from "@orchestrator/kernel/storage";
import { sql } from "kysely";
import type { RollupRow } from "../../db/tables/rollups.table.ts";
import { statement } from "../../db/tables.ts";
import type { RollupRange, StatusTimes } from "./stats.rules.ts";

interface Wanted {
  readonly monitor_id: string;
  readonly size: RollupRow["size"];
  readonly from: string;
  readonly until: string;
}

const sumTimes = statement<Wanted>()((db, p) =>
  db
    .selectFrom("result_rollups")
    .select([
      sql<number>`cast(coalesce(sum(up_us), 0) as bigint)`.as("up"),
      sql<number>`cast(coalesce(sum(degraded_us), 0) as bigint)`.as("degraded"),
      sql<number>`cast(coalesce(sum(down_us), 0) as bigint)`.as("down"),
    ])
    .where("workspace_id", "=", p.workspace_id)
    .where("monitor_id", "=", p.monitor_id)
    .where("size", "=", p.size)
    .where("start", ">=", p.from)
    .where("start", "<", p.until),
);

/** How long each status held, as far as it is counted. */
export async function readTimes(
  queries: Queries,
  monitor_id: string,
  { size, from, until }: RollupRange,
): Promise<StatusTimes> {
  const range = { from: formatMicros(from), until: formatMicros(until) };
  const row = await queries.get(sumTimes, { monitor_id, size, ...range });
  return row ?? { up: 0, degraded: 0, down: 0 };
}

import { type Database, idRows, listedIds, type Queries } from "@orchestrator/kernel/storage";
import { sql } from "kysely";
import { statement, systemStatement } from "../db/tables.ts";
import type { CurrentStatusRow, DayRow, LatencyRow, PageIncidentRow } from "./page-facts.table.ts";

/** Many monitors in one statement: their ids are one parameter. */
interface MonitorSelection {
  readonly monitors: string;
}
interface MonitorSelectionSince extends MonitorSelection {
  readonly since: string;
}

const selectDays = statement<MonitorSelectionSince>()((db, p, dialect) =>
  db
    .selectFrom("result_rollups")
    .select(["monitor_id", "start", "up_us", "degraded_us", "down_us"])
    .where("workspace_id", "=", p.workspace_id)
    .where("monitor_id", "in", listedIds(dialect, p.monitors))
    .where("size", "=", sql.lit("day"))
    .where("start", ">=", p.since),
);

/** How long each status held on each day, as far as it is counted. */
export function listDays(
  queries: Queries,
  ids: readonly string[],
  since: string,
): Promise<DayRow[]> {
  return queries.all(selectDays, { monitors: idRows(ids), since });
}

const selectLatencies = statement<MonitorSelectionSince>()((db, p, dialect) =>
  db
    .selectFrom("result_rollups")
    .select([
      "monitor_id",
      sql<number>`cast(sum(latency_us) as bigint)`.as("total_us"),
      sql<number>`cast(sum(up_count + degraded_count) as bigint)`.as("count"),
    ])
    .where("workspace_id", "=", p.workspace_id)
    .where("monitor_id", "in", listedIds(dialect, p.monitors))
    .where("size", "=", sql.lit("hour"))
    .where("start", ">=", p.since)
    .groupBy("monitor_id"),
);

export function listLatencies(
  queries: Queries,
  ids: readonly string[],
  since: string,
): Promise<LatencyRow[]> {
  return queries.all(selectLatencies, { monitors: idRows(ids), since });
}

const selectTracks = statement<MonitorSelection>()((db, p, dialect) =>
  db
    .selectFrom("monitor_tracks")
    .select(["monitor_id", "status", "since", "counted_until", "valid_until", "open_minute"])
    .where("workspace_id", "=", p.workspace_id)
    .where("monitor_id", "in", listedIds(dialect, p.monitors)),
);

/** What holds at present, and what is in no rollup yet. */
export function listCurrentStatuses(
  queries: Queries,
  ids: readonly string[],
): Promise<CurrentStatusRow[]> {
  return queries.all(selectTracks, { monitors: idRows(ids) });
}

const MOST_SHOWN = 200;
const INCIDENT_COLUMNS = [
  "id",
  "monitor_id",
  "status",
  "started_at",
  "ended_at",
  "ended_by",
] as const satisfies readonly (keyof PageIncidentRow)[];

const selectOpenIncidents = statement<MonitorSelection>()((db, p, dialect) =>
  db
    .selectFrom("incidents")
    .select(INCIDENT_COLUMNS)
    .where("workspace_id", "=", p.workspace_id)
    .where("monitor_id", "in", listedIds(dialect, p.monitors))
    .where("ended_at", "is", null)
    .orderBy("started_at", "desc")
    .orderBy("id", "desc")
    .limit(sql.lit(MOST_SHOWN)),
);

const selectEndedIncidents = statement<MonitorSelectionSince>()((db, p, dialect) =>
  db
    .selectFrom("incidents")
    .select(INCIDENT_COLUMNS)
    .where("workspace_id", "=", p.workspace_id)
    .where("monitor_id", "in", listedIds(dialect, p.monitors))
    .where("ended_at", ">=", p.since)
    .orderBy("ended_at", "desc")
    .limit(sql.lit(MOST_SHOWN)),
);

/** Those that last and those that ended only lately. What was wrong stays inside. */
export async function listRecentIncidents(
  queries: Queries,
  ids: readonly string[],
  since: string,
): Promise<PageIncidentRow[]> {
  const monitors = idRows(ids);
  // Each by an index of its own: there may be years of incidents.
  const [open, ended] = await Promise.all([
    queries.all(selectOpenIncidents, { monitors }),
    queries.all(selectEndedIncidents, { monitors, since }),
  ]);
  return [...open, ...ended];
}

const workspaceOfMonitor = systemStatement<{ id: string }>()((db, p) =>
  db.selectFrom("monitors").select("workspace_id").where("id", "=", p.id),
);

/** Ids of monitors are unique on the server, so an address with one needs to say nothing else. */
export async function findWorkspaceOfMonitor(
  { system }: Pick<Database, "system">,
  id: string,
): Promise<string | null> {
  return (await system.get(workspaceOfMonitor, { id }))?.workspace_id ?? null;
}

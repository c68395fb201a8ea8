import { type Statements, statementsFor } from "@orchestrator/kernel/storage";
import type { LoginSessionRow, UptimeAccountRow } from "./tables/accounts.table.ts";
import type { DependencyChangesRow, ParentRow } from "./tables/dependencies.table.ts";
import type { CheckRequestRow, EngineSessionRow } from "./tables/engine.table.ts";
import type { HeartbeatRow } from "./tables/heartbeats.table.ts";
import type { IncidentRow } from "./tables/incidents.table.ts";
import type { MaintenanceRow } from "./tables/maintenance.table.ts";
import type { MonitorRow } from "./tables/monitors.table.ts";
import type { ResultRow } from "./tables/results.table.ts";
import type { RollupRow } from "./tables/rollups.table.ts";
import type { StatusPageRow } from "./tables/status-pages.table.ts";
import type { StatusReportRow } from "./tables/status-reports.table.ts";
import type { SpanRow, TrackRow } from "./tables/tracks.table.ts";
import type { VersionRow } from "./tables/versions.table.ts";

/** Every table of this service. */
interface Tables {
  check_requests: InWorkspace<CheckRequestRow>;
  check_results: InWorkspace<ResultRow>;
  dependency_changes: InWorkspace<DependencyChangesRow>;
  engine_sessions: EngineSessionRow;
  heartbeats: InWorkspace<HeartbeatRow>;
  incidents: InWorkspace<IncidentRow>;
  instance_versions: InWorkspace<VersionRow>;
  maintenance_windows: InWorkspace<MaintenanceRow>;
  monitor_parents: InWorkspace<ParentRow>;
  monitor_tracks: InWorkspace<TrackRow>;
  monitors: InWorkspace<MonitorRow>;
  result_rollups: InWorkspace<RollupRow>;
  status_pages: InWorkspace<StatusPageRow>;
  status_reports: InWorkspace<StatusReportRow>;
  status_spans: InWorkspace<SpanRow>;
  uptime_accounts: InWorkspace<UptimeAccountRow>;
  uptime_sessions: InWorkspace<LoginSessionRow>;
}

type InWorkspace<Row> = Row & { workspace_id: string };

const statements: Statements<Tables> = statementsFor<Tables>();

export const statement: Statements<Tables>["statement"] = statements.statement;
/** For loops that look after the rows of all workspaces. */
export const systemStatement: Statements<Tables>["systemStatement"] = statements.systemStatement;

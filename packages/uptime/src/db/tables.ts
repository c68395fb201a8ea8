import { type Statements, statementsFor } from "@orchestrator/kernel";
import type { CheckRequestRow, EngineSessionRow } from "../engine/engine.table.ts";
import type {
  DependencyChangesRow,
  ParentRow,
} from "../features/dependencies/dependencies.table.ts";
import type { HeartbeatRow } from "../features/heartbeats/heartbeats.table.ts";
import type { IncidentRow } from "../features/incidents/incidents.table.ts";
import type { AccountRow, SessionRow } from "../features/login/accounts.table.ts";
import type { MaintenanceRow } from "../features/maintenance/maintenance.table.ts";
import type { MonitorRow } from "../features/monitors/monitors.table.ts";
import type { ResultRow } from "../features/results/results.table.ts";
import type { RollupRow } from "../features/rollups/rollups.table.ts";
import type { SpanRow, TrackRow } from "../features/rollups/tracks.table.ts";
import type { StatusPageRow } from "../features/status-pages/status-pages.table.ts";
import type { StatusReportRow } from "../features/status-pages/status-reports.table.ts";
import type { VersionRow } from "../features/versions/versions.table.ts";

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
  uptime_accounts: InWorkspace<AccountRow>;
  uptime_sessions: InWorkspace<SessionRow>;
}

type InWorkspace<Row> = Row & { workspace_id: string };

const statements: Statements<Tables> = statementsFor<Tables>();

export const statement: Statements<Tables>["statement"] = statements.statement;
/** For loops that look after the rows of all workspaces. */
export const systemStatement: Statements<Tables>["systemStatement"] = statements.systemStatement;

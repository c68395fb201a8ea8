import { type Hearing, LoginGuard, type ServiceHost } from "@orchestrator/kernel";
import { runPipeline } from "./checks/run-pipeline.ts";
import type { UptimeContext } from "./context.ts";
import { probePolicy } from "./engine/probe-policy.ts";
import { type Pipeline, RunsInFlight } from "./engine/runs-in-flight.ts";
import { PASSWORD_COST } from "./features/login/password-hash.ts";
import { MaintenanceCalendar } from "./features/maintenance/maintenance-calendar.ts";
import { MonitorReadings } from "./features/monitor-metrics/monitor-readings.ts";
import { recordResults } from "./features/results/record-result.service.ts";
import { ResultRecorder } from "./features/results/result-recorder.ts";
import { readPageView } from "./features/status-pages/page-view.service.ts";
import { PublicPages } from "./features/status-pages/public-pages.ts";
import type { UptimeSettings } from "./settings.ts";

interface ContextOptions {
  readonly settings: UptimeSettings;
  readonly hearing: Hearing;
  /** @default what makes guessing expensive */
  readonly passwordCost?: number;
  /** Looks at a target once. @default the real checks */
  readonly pipeline?: Pipeline;
}

export function createContext(
  host: ServiceHost,
  { settings, hearing, passwordCost = PASSWORD_COST, pipeline = runPipeline }: ContextOptions,
): UptimeContext {
  const readings = new MonitorReadings();
  const ctx: UptimeContext = {
    ...host,
    settings,
    hearing,
    policy: probePolicy(settings, host.db),
    passwordCost,
    logins: new LoginGuard(host.clock),
    maintenance: new MaintenanceCalendar(host.db, host.log),
    readings,
    runs: new RunsInFlight({
      holder: host.ids.uuid4(),
      limits: { total: settings.concurrency, perHost: settings.hostConcurrency },
      isRemote: host.db.dialect.isRemote,
      pipeline: settings.metrics === "off" ? pipeline : readings.watching(pipeline),
      referenceTargets: settings.referenceTargets ?? [],
    }),
    pages: new PublicPages(host, (workspaceId, page) => readPageView(ctx, workspaceId, page)),
    recorder: new ResultRecorder((workspaceId, findings, isRepeated) =>
      recordResults(ctx, { workspaceId, findings, isRepeated }),
    ),
  };
  return ctx;
}

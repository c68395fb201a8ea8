import { LoginGuard } from "@orchestrator/kernel/http";
import type { Hearing } from "@orchestrator/kernel/loops";
import type { ServiceHost } from "@orchestrator/kernel/scope";
import { runPipeline } from "./checks/run-pipeline.ts";
import type { EngineContext } from "./engine/engine-context.ts";
import { MonitorReadings } from "./engine/monitor-readings.ts";
import { probePolicy } from "./engine/probe-policy.ts";
import { type Pipeline, RunsInFlight } from "./engine/runs-in-flight.ts";
import { PASSWORD_COST } from "./login/password-hash.ts";
import { MaintenanceCalendar } from "./maintenance/maintenance-calendar.ts";
import type { MaintenanceContext } from "./maintenance/maintenance-context.ts";
import { readPageView } from "./pages/page-view.service.ts";
import type { PagesContext } from "./pages/pages-context.ts";
import { PublicPages } from "./pages/public-pages.ts";
import { recordResults } from "./results/record-result.service.ts";
import { ResultRecorder } from "./results/result-recorder.ts";
import type { UptimeSettings } from "./settings.ts";

/** What the service needs, built once at the start. A test builds its own. */
export interface ServiceContext extends MaintenanceContext, EngineContext, PagesContext {}

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
): ServiceContext {
  const readings = new MonitorReadings();
  const ctx: ServiceContext = {
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

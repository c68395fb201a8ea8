import type { ServiceHost } from "@orchestrator/kernel";
import { runPipeline } from "./checks/run-pipeline.ts";
import type { UptimeContext } from "./context.ts";
import { type Pipeline, RunsInFlight } from "./engine/runs-in-flight.ts";
import { LoginGuard } from "./features/login/login-guard.ts";
import { PASSWORD_COST } from "./features/login/password-hash.ts";
import type { UptimeSettings } from "./settings.ts";

interface ContextOptions {
  readonly settings: UptimeSettings;
  /** @default what makes guessing expensive */
  readonly passwordCost?: number;
  /** Looks at a target once. @default the real checks */
  readonly pipeline?: Pipeline;
}

export function createContext(
  host: ServiceHost,
  { settings, passwordCost = PASSWORD_COST, pipeline = runPipeline }: ContextOptions,
): UptimeContext {
  return {
    ...host,
    settings,
    passwordCost,
    logins: new LoginGuard(host.clock),
    runs: new RunsInFlight({
      holder: host.ids.uuid4(),
      limits: { total: settings.concurrency, perHost: settings.hostConcurrency },
      pipeline,
      referenceTargets: settings.referenceTargets ?? [],
    }),
  };
}

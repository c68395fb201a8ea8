import { type HttpApp, type MountedApi, mountApi, openScope } from "@orchestrator/kernel";
import { checkApiVersion } from "./api-version.ts";
import type { OrchestratorContext } from "./context.ts";
import { csrfRoutes } from "./features/csrf/csrf.routes.ts";
import { housekeepingRoutes } from "./features/housekeeping/housekeeping.routes.ts";
import { uiSettingsRoute } from "./features/housekeeping/ui-settings.routes.ts";
import { variableRoutes } from "./features/variables/variables.routes.ts";

/** Every endpoint of the orchestration API, feature by feature. */
export function mountOrchestrator(app: HttpApp, ctx: OrchestratorContext): MountedApi {
  uiSettingsRoute(app, ctx);
  return mountApi(
    app,
    {
      prefix: "/api",
      title: "Orchestration API",
      version: ctx.dialect.apiVersion,
      description: "Deploy, schedule, run and observe workflows.",
      malformedJsonStatus: 422,
      resolveScope: (request) => openScope(request.id),
    },
    (api) => {
      checkApiVersion(api, ctx.dialect);
      csrfRoutes(api, ctx);
      housekeepingRoutes(api, ctx);
      variableRoutes(api, ctx);
    },
  );
}

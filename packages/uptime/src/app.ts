import { type HttpApp, type MountedApi, mountApi, sendJsonText } from "@orchestrator/kernel";
import { Type } from "typebox";
import type { UptimeContext } from "./context.ts";
import { checkRoutes } from "./engine/checks.routes.ts";
import { badgeRoutes } from "./features/badges/badges.routes.ts";
import { checkKindRoutes } from "./features/check-kinds/check-kinds.routes.ts";
import { documentRoutes } from "./features/documents/documents.routes.ts";
import { heartbeatRoutes } from "./features/heartbeats/heartbeats.routes.ts";
import { incidentRoutes } from "./features/incidents/incidents.routes.ts";
import { authenticate, challenge } from "./features/login/authenticate.ts";
import { loginRoutes } from "./features/login/login.routes.ts";
import { SESSION_COOKIE } from "./features/login/session-cookie.ts";
import { maintenanceRoutes } from "./features/maintenance/maintenance.routes.ts";
import { monitorRoutes } from "./features/monitors/monitors.routes.ts";
import { overviewRoutes } from "./features/overview/overview.routes.ts";
import { reportRoutes } from "./features/reports/reports.routes.ts";
import { resultRoutes } from "./features/results/results.routes.ts";
import { statsRoutes } from "./features/stats/stats.routes.ts";
import { publicDataRoutes, publicPageRoutes } from "./features/status-pages/public-pages.routes.ts";
import { statusPageRoutes } from "./features/status-pages/status-pages.routes.ts";
import { statusReportRoutes } from "./features/status-pages/status-reports.routes.ts";
import { tagRoutes } from "./features/tags/tags.routes.ts";
import { trialRoutes } from "./features/trials/trials.routes.ts";
import { versionRoutes } from "./features/versions/versions.routes.ts";

/** Every endpoint of the uptime API, feature by feature. */
export function mountUptime(app: HttpApp, ctx: UptimeContext): MountedApi {
  publicPageRoutes(app, ctx);
  badgeRoutes(app, ctx);
  return mountApi(
    app,
    {
      prefix: "/uptime/api",
      title: "Uptime API",
      version: ctx.version,
      description: "Watch services: monitors, checks, results.",
      malformedJsonStatus: 400,
      securitySchemes: {
        basic: { type: "http", scheme: "basic" },
        session: { type: "apiKey", in: "cookie", name: SESSION_COOKIE },
      },
      resolveScope: authenticate(ctx),
      challenge,
    },
    (api) => {
      api.get(
        "/health",
        {
          config: { isPublic: true, isVital: true },
          schema: {
            tags: ["Server"],
            security: [],
            operationId: "readHealth",
            summary: "Tell that the process is alive",
            response: { 200: Type.Boolean() },
          },
        },
        (_request, reply) => sendJsonText(reply, "true"),
      );
      loginRoutes(api, ctx);
      heartbeatRoutes(api, ctx);
      monitorRoutes(api, ctx);
      overviewRoutes(api, ctx);
      tagRoutes(api, ctx);
      documentRoutes(api, ctx);
      checkRoutes(api, ctx);
      checkKindRoutes(api);
      trialRoutes(api, ctx);
      resultRoutes(api, ctx);
      versionRoutes(api, ctx);
      statsRoutes(api, ctx);
      reportRoutes(api, ctx);
      incidentRoutes(api, ctx);
      maintenanceRoutes(api, ctx);
      statusPageRoutes(api, ctx);
      statusReportRoutes(api, ctx);
      publicDataRoutes(api, ctx);
    },
  );
}

import { type HttpApp, type MountedApi, mountApi, sendJsonText } from "@orchestrator/kernel/http";
import { Type } from "typebox";
import { checkKindRoutes } from "./checks/check-kinds/check-kinds.routes.ts";
import { documentRoutes } from "./configuration/documents/documents.routes.ts";
import { monitorRoutes } from "./configuration/monitors.routes.ts";
import type { ServiceContext } from "./create-context.ts";
import { checkRoutes } from "./engine/checks.routes.ts";
import { trialRoutes } from "./engine/trials/trials.routes.ts";
import { incidentRoutes } from "./incidents/incidents.routes.ts";
import { authenticate, uptimeChallenge } from "./login/authenticate.ts";
import { loginRoutes } from "./login/login.routes.ts";
import { SESSION_COOKIE } from "./login/session-cookie.ts";
import { maintenanceRoutes } from "./maintenance/maintenance.routes.ts";
import { heartbeatRoutes } from "./monitors/heartbeats/heartbeats.routes.ts";
import { tagRoutes } from "./monitors/tags/tags.routes.ts";
import { badgeRoutes } from "./pages/badges/badges.routes.ts";
import { publicDataRoutes, publicPageRoutes } from "./pages/public-pages.routes.ts";
import { statusPageRoutes } from "./pages/status-pages.routes.ts";
import { statusReportRoutes } from "./pages/status-reports.routes.ts";
import { resultRoutes } from "./results/results.routes.ts";
import { versionRoutes } from "./results/versions/versions.routes.ts";
import { overviewRoutes } from "./statistics/overview/overview.routes.ts";
import { reportRoutes } from "./statistics/reports/reports.routes.ts";
import { statsRoutes } from "./statistics/stats/stats.routes.ts";

/** Every endpoint of the uptime API, feature by feature. */
export function mountUptime(app: HttpApp, ctx: ServiceContext): MountedApi {
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
      challenge: uptimeChallenge,
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

import { type HttpApp, type MountedApi, mountApi, sendJsonText } from "@orchestrator/kernel";
import { Type } from "typebox";
import type { UptimeContext } from "./context.ts";
import { checkRoutes } from "./engine/checks.routes.ts";
import { heartbeatRoutes } from "./features/heartbeats/heartbeats.routes.ts";
import { incidentRoutes } from "./features/incidents/incidents.routes.ts";
import { authenticate, challenge } from "./features/login/authenticate.ts";
import { loginRoutes } from "./features/login/login.routes.ts";
import { SESSION_COOKIE } from "./features/login/session-cookie.ts";
import { monitorRoutes } from "./features/monitors/monitors.routes.ts";
import { resultRoutes } from "./features/results/results.routes.ts";
import { statsRoutes } from "./features/stats/stats.routes.ts";
import { tagRoutes } from "./features/tags/tags.routes.ts";

/** Every endpoint of the uptime API, feature by feature. */
export function mountUptime(app: HttpApp, ctx: UptimeContext): MountedApi {
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
          config: { isPublic: true },
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
      tagRoutes(api, ctx);
      checkRoutes(api, ctx);
      resultRoutes(api, ctx);
      statsRoutes(api, ctx);
      incidentRoutes(api, ctx);
    },
  );
}

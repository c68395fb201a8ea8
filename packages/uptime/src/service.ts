import {
  mountApi,
  openScope,
  type Service,
  type ServiceHost,
  sendJsonText,
} from "@orchestrator/kernel";
import { Type } from "typebox";

/** The uptime service, ready to be mounted. */
export function createUptime(host: ServiceHost): Service {
  return {
    name: "uptime",
    loops: [],
    mount: (app) =>
      mountApi(
        app,
        {
          prefix: "/uptime/api",
          title: "Uptime API",
          version: host.version,
          description: "Watch services: monitors, checks, results.",
          malformedJsonStatus: 400,
          resolveScope: (request) => openScope(request.id),
        },
        (api) => {
          api.get(
            "/health",
            {
              schema: {
                tags: ["Server"],
                operationId: "readHealth",
                summary: "Tell that the process is alive",
                response: { 200: Type.Boolean() },
              },
            },
            (_request, reply) => sendJsonText(reply, "true"),
          );
        },
      ),
  };
}

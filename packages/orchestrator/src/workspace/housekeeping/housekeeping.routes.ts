import { JsonObject, ReadinessReport } from "@orchestrator/contract";
import { type ApiInstance, sendJsonText } from "@orchestrator/kernel/http";
import { Type } from "typebox";
import type { OrchestratorContext } from "../../context.ts";
import { createReadiness } from "./readiness.service.ts";

const tags = ["Server"];
const WAVING_HAND = "👋";

export function housekeepingRoutes(api: ApiInstance, ctx: OrchestratorContext): void {
  const checkReadiness = createReadiness(ctx);

  api.get(
    "/health",
    {
      config: { isPublic: true, isVital: true },
      schema: {
        tags,
        operationId: "readHealth",
        summary: "Tell that the process is alive",
        response: { 200: Type.Boolean() },
      },
    },
    (_request, reply) => sendJsonText(reply, "true"),
  );

  api.get(
    "/ready",
    {
      config: { isPublic: true, isVital: true },
      schema: {
        tags,
        operationId: "readReadiness",
        summary: "Tell whether a write would be taken and how the background loops are doing",
        response: { 200: ReadinessReport, 503: ReadinessReport },
      },
    },
    async (_request, reply) => {
      const { isReady, ...report } = await checkReadiness();
      return reply.code(isReady ? 200 : 503).send(report);
    },
  );

  api.get(
    "/hello",
    {
      schema: {
        tags,
        operationId: "sayHello",
        summary: "Say hello",
        response: { 200: Type.String() },
      },
    },
    (_request, reply) => sendJsonText(reply, JSON.stringify(WAVING_HAND)),
  );

  api.get(
    "/version",
    {
      schema: {
        tags,
        operationId: "readApiVersion",
        summary: "The version of the API",
        response: { 200: Type.String() },
      },
    },
    (_request, reply) => sendJsonText(reply, JSON.stringify(ctx.dialect.apiVersion)),
  );

  api.get(
    "/admin/version",
    {
      schema: {
        tags,
        operationId: "readProductVersion",
        summary: "The version of the server",
        response: { 200: Type.String() },
      },
    },
    (_request, reply) => sendJsonText(reply, JSON.stringify(ctx.dialect.productVersion)),
  );

  api.get(
    "/admin/settings",
    {
      schema: {
        tags,
        operationId: "readSettings",
        summary: "The settings in force, secrets masked",
        response: { 200: JsonObject() },
      },
    },
    async () => ctx.settingsView,
  );
}

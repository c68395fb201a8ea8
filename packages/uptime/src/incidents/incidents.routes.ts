import {
  Incident,
  IncidentAcknowledge,
  IncidentId,
  IncidentList,
  MonitorId,
} from "@orchestrator/contract";
import { type ApiInstance, sendJsonText } from "@orchestrator/kernel/http";
import { Type } from "typebox";
import type { UptimeContext } from "../context.ts";
import { acknowledgeIncident, readIncident, readIncidents } from "./incidents.service.ts";

export function incidentRoutes(api: ApiInstance, ctx: UptimeContext): void {
  const tags = ["Incidents"];

  api.get(
    "/incidents",
    {
      schema: {
        tags,
        operationId: "listIncidents",
        summary: "List incidents, the latest first",
        querystring: IncidentList,
        response: { 200: Type.Array(Incident) },
      },
    },
    async (request, reply) =>
      sendJsonText(reply, await readIncidents(ctx, request.scope, request.query)),
  );

  api.get(
    "/monitors/:id/incidents",
    {
      schema: {
        tags,
        operationId: "listMonitorIncidents",
        summary: "List the incidents of a monitor, the latest first",
        params: MonitorId,
        querystring: IncidentList,
        response: { 200: Type.Array(Incident) },
      },
    },
    async (request, reply) => {
      const monitorId = request.params.id;
      return sendJsonText(
        reply,
        await readIncidents(ctx, request.scope, { ...request.query, monitorId }),
      );
    },
  );

  api.get(
    "/incidents/:id",
    {
      schema: {
        tags,
        operationId: "readIncident",
        summary: "Read an incident",
        params: IncidentId,
        response: { 200: Incident },
      },
    },
    async (request, reply) =>
      sendJsonText(reply, await readIncident(ctx, request.scope, request.params.id)),
  );

  api.post(
    "/incidents/:id/acknowledge",
    {
      schema: {
        tags,
        operationId: "acknowledgeIncident",
        summary: "Say that somebody looks after an incident",
        params: IncidentId,
        body: IncidentAcknowledge,
        response: { 200: Incident },
      },
    },
    async (request, reply) => {
      const asked = { ...request.body, id: request.params.id };
      return sendJsonText(reply, await acknowledgeIncident(ctx, request.scope, asked));
    },
  );
}

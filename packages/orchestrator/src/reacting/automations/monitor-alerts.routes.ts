import { Automation, MonitorAlertCreate } from "@orchestrator/contract";
import { type ApiInstance, sendJsonText } from "@orchestrator/kernel/http";
import type { OrchestratorContext } from "../../context.ts";
import { putMonitorAlert } from "./monitor-alert.service.ts";

export function monitorAlertRoutes(api: ApiInstance, ctx: OrchestratorContext): void {
  api.post(
    "/automations/monitor_alerts",
    {
      schema: {
        tags: ["Automations"],
        operationId: "putMonitorAlert",
        summary: "Be told when monitors go down; asked for again, it is written anew",
        body: MonitorAlertCreate,
        response: { 200: Automation, 201: Automation },
      },
    },
    async (request, reply) => {
      const { json, isNew } = await putMonitorAlert(ctx, request.scope, request.body);
      return sendJsonText(reply.code(isNew ? 201 : 200), json);
    },
  );
}

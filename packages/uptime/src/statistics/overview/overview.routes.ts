import { OverviewQuery } from "@orchestrator/contract";
import type { ApiInstance } from "@orchestrator/kernel/http";
import type { MaintenanceContext } from "../../maintenance/maintenance-context.ts";
import { MonitorsOverview } from "../../models.ts";
import { readOverview } from "./overview.service.ts";

export function overviewRoutes(api: ApiInstance, ctx: MaintenanceContext): void {
  api.get(
    "/monitors/overview",
    {
      schema: {
        tags: ["Monitors"],
        operationId: "readOverview",
        summary: "List monitors with their last results and uptime, what is wrong first",
        querystring: OverviewQuery,
        response: { 200: MonitorsOverview },
      },
    },
    async (request) => readOverview(ctx, request.scope, request.query),
  );
}

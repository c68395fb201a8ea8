import { MonitorId, MonitorStats, StatsQuery } from "@orchestrator/contract";
import type { ApiInstance } from "@orchestrator/kernel/http";
import type { MaintenanceContext } from "../../maintenance/maintenance-context.ts";
import { readStats } from "./stats.service.ts";

export function statsRoutes(api: ApiInstance, ctx: MaintenanceContext): void {
  api.get(
    "/monitors/:id/stats",
    {
      schema: {
        tags: ["Statistics"],
        operationId: "readMonitorStats",
        summary: "Read uptime, latencies and a series for charts",
        description:
          "Uptime is by time. Time in which nothing is known does not count: before the first result, while the monitor was paused or under maintenance, or while this server was not running.",
        params: MonitorId,
        querystring: StatsQuery,
        response: { 200: MonitorStats },
      },
    },
    async (request) =>
      readStats(ctx, request.scope, { ...request.query, monitorId: request.params.id }),
  );
}

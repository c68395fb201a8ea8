import { InstanceVersion, MonitorId, VersionList } from "@orchestrator/contract";
import type { ApiInstance } from "@orchestrator/kernel/http";
import { Type } from "typebox";
import type { UptimeContext } from "../../context.ts";
import { readVersions } from "./versions.service.ts";

export function versionRoutes(api: ApiInstance, ctx: UptimeContext): void {
  api.get(
    "/monitors/:id/versions",
    {
      schema: {
        tags: ["Results"],
        operationId: "listVersions",
        summary: "List the versions that the instance checks of a monitor have seen, newest first",
        description:
          "A new version or revision is a new entry. They are kept as results arrive and stay when those are deleted, for as long as there is the monitor.",
        params: MonitorId,
        querystring: VersionList,
        response: { 200: Type.Array(InstanceVersion) },
      },
    },
    async (request) =>
      readVersions(ctx, request.scope, { ...request.query, monitorId: request.params.id }),
  );
}

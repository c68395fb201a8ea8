import { TagList } from "@orchestrator/contract";
import type { ApiInstance } from "@orchestrator/kernel/http";
import type { UptimeContext } from "../../context.ts";
import { listTags } from "./tags.store.ts";

/** The same list has two addresses. */
const ADDRESSES = [
  { path: "/tags", operationId: "listTags" },
  { path: "/monitors/tags", operationId: "listMonitorTags" },
] as const;

export function tagRoutes(api: ApiInstance, ctx: UptimeContext): void {
  for (const { path, operationId } of ADDRESSES) {
    api.get(
      path,
      {
        schema: {
          tags: ["Tags"],
          operationId,
          summary: "List the tags of all monitors, each once",
          response: { 200: TagList },
        },
      },
      async (request) => listTags(ctx.db.in(request.scope.workspaceId)),
    );
  }
}

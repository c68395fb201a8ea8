import { CheckResult, MonitorId, ResultList } from "@orchestrator/contract";
import { type ApiInstance, sendJsonText } from "@orchestrator/kernel/http";
import { Type } from "typebox";
import { requestedPath } from "../addresses.ts";
import type { UptimeContext } from "../context.ts";
import { readResults } from "./results.service.ts";

export function resultRoutes(api: ApiInstance, ctx: UptimeContext): void {
  api.get(
    "/monitors/:id/results",
    {
      schema: {
        tags: ["Results"],
        operationId: "listResults",
        summary: "List the results of a monitor, newest first",
        description:
          "Where there are more, the header `X-Next-Cursor` holds what to give as `before` for the next page, and `Link` its address.",
        params: MonitorId,
        querystring: ResultList,
        response: { 200: Type.Array(CheckResult) },
      },
    },
    async (request, reply) => {
      const { json, next } = await readResults(ctx, request.scope, {
        ...request.query,
        monitorId: request.params.id,
      });
      if (next !== null) {
        const { searchParams } = new URL(request.url, "http://localhost");
        searchParams.set("before", next);
        searchParams.delete("offset");
        reply.header("x-next-cursor", next);
        reply.header("link", `<${requestedPath(request)}?${searchParams.toString()}>; rel="next"`);
      }
      return sendJsonText(reply, json);
    },
  );
}

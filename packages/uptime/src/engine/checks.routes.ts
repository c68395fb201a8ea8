import { CheckAll, CheckAllBody, CheckResult, MonitorId } from "@orchestrator/contract";
import { type ApiInstance, clientDisconnected } from "@orchestrator/kernel/http";
import { Type } from "typebox";
import { answerWhenDone } from "./answer-when-done.ts";
import { checkAll, checkNow } from "./check-now.ts";
import type { EngineContext } from "./engine-context.ts";

export function checkRoutes(api: ApiInstance, ctx: EngineContext): void {
  const tags = ["Checks"];

  api.post(
    "/monitors/check-all",
    {
      schema: {
        tags,
        operationId: "checkAllMonitors",
        summary: "Check all enabled monitors at once and wait for the results",
        querystring: CheckAll,
        body: CheckAllBody,
        response: { 200: Type.Array(CheckResult) },
      },
    },
    async (request, reply) => {
      const { workspaceId } = request.scope;
      const tags = [request.query.tag ?? [], request.body?.tag ?? []].flat();
      const work = checkAll(ctx, { workspaceId, tags, signal: clientDisconnected(reply) });
      return answerWhenDone(reply, work);
    },
  );

  api.post(
    "/monitors/:id/check",
    {
      schema: {
        tags,
        operationId: "checkMonitor",
        summary: "Check a monitor at once and wait for the result",
        params: MonitorId,
        response: { 200: CheckResult },
      },
    },
    async (request, reply) => {
      const { workspaceId } = request.scope;
      const { id } = request.params;
      return answerWhenDone(
        reply,
        checkNow(ctx, { workspaceId, id, signal: clientDisconnected(reply) }),
      );
    },
  );
}

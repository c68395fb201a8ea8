import { ById, Explanation } from "@orchestrator/contract";
import type { ApiInstance } from "@orchestrator/kernel/http";
import type { OrchestratorContext } from "../../context.ts";
import { explainFlowRun } from "./explain.service.ts";

export function explainRoutes(api: ApiInstance, ctx: OrchestratorContext): void {
  api.get(
    "/flow_runs/:id/explain",
    {
      schema: {
        tags: ["Flow runs"],
        operationId: "explainFlowRun",
        summary: "Why a flow run is not running",
        params: ById,
        response: { 200: Explanation },
      },
    },
    async (request) => explainFlowRun(ctx, request.scope, request.params.id),
  );
}

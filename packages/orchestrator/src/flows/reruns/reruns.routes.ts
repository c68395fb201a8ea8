import { ById, FlowRun, FlowRunRerun } from "@orchestrator/contract";
import { type ApiInstance, sendJsonText } from "@orchestrator/kernel/http";
import type { OrchestratorContext } from "../../context.ts";
import { rerunFlowRun } from "./rerun.service.ts";

export function rerunRoutes(api: ApiInstance, ctx: OrchestratorContext): void {
  api.post(
    "/flow_runs/:id/rerun",
    {
      schema: {
        tags: ["Flow runs"],
        operationId: "rerunFlowRun",
        summary: "Create a run that goes on behind results of a flow run",
        description:
          "Of the same deployment, with the same parameters unless others are given. `created_by` of the new run names the flow run, which stays as it is.",
        params: ById,
        body: FlowRunRerun,
        response: { 200: FlowRun, 201: FlowRun },
      },
    },
    async ({ params: { id }, body, scope }, reply) => {
      const { json, isNew } = await rerunFlowRun(ctx, scope, { id, body });
      return sendJsonText(reply.code(isNew ? 201 : 200), json);
    },
  );
}

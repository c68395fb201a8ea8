import { FlowRunClaims, WorkPoolByName, WorkPoolClaim } from "@orchestrator/contract";
import { type ApiInstance, clientDisconnected, sendJsonText } from "@orchestrator/kernel/http";
import type { OrchestratorContext } from "../../context.ts";
import { claimFlowRuns } from "./claim-flow-runs.service.ts";

export function flowRunClaimRoutes(api: ApiInstance, ctx: OrchestratorContext): void {
  api.post(
    "/work_pools/:name/claim_flow_runs",
    {
      config: { mayWait: true },
      schema: {
        tags: ["Work pools"],
        operationId: "claimFlowRuns",
        summary: "Claim the runs of a work pool that are due, as many as its limits leave room for",
        params: WorkPoolByName,
        body: WorkPoolClaim,
        response: { 200: FlowRunClaims },
      },
    },
    async ({ params: { name }, body: poll, scope }, reply) =>
      sendJsonText(
        reply,
        await claimFlowRuns(ctx, scope, { name, poll, gone: clientDisconnected(reply) }),
      ),
  );
}

import { WorkspaceId, WorkspaceQuotas, WorkspaceQuotasUpdate } from "@orchestrator/contract";
import type { ApiInstance } from "@orchestrator/kernel/http";
import { Type } from "typebox";
import type { AccountsContext } from "../../context.ts";
import { readQuotas, replaceQuotas } from "./quotas.service.ts";

export function quotaRoutes(api: ApiInstance, ctx: AccountsContext): void {
  const tags = ["Workspaces"];

  api.get(
    "/accounts/:account_id/workspaces/:workspace_id/quotas",
    {
      schema: {
        tags,
        operationId: "readWorkspaceQuotas",
        summary: "How much a workspace may have, and has",
        params: WorkspaceId,
        response: { 200: WorkspaceQuotas },
      },
    },
    ({ params }) => readQuotas(ctx, params.workspace_id),
  );

  api.put(
    "/accounts/:account_id/workspaces/:workspace_id/quotas",
    {
      schema: {
        tags,
        operationId: "replaceWorkspaceQuotas",
        summary: "Say how much a workspace may have",
        description: "What is left out may be any amount.",
        params: WorkspaceId,
        body: WorkspaceQuotasUpdate,
        response: { 204: Type.Null() },
      },
    },
    async ({ params, body }, reply) => {
      await replaceQuotas(ctx, params.workspace_id, body);
      return reply.code(204).send();
    },
  );
}

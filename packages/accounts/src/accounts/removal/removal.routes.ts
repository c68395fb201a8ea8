import { AccountId, HandleConfirmation, WorkspaceId } from "@orchestrator/contract";
import type { ApiInstance } from "@orchestrator/kernel/http";
import { Type } from "typebox";
import type { AccountsContext } from "../../context.ts";
import { deleteAccount, deleteWorkspace } from "./removal.service.ts";

export function removalRoutes(api: ApiInstance, ctx: AccountsContext): void {
  api.delete(
    "/accounts/:account_id/workspaces/:workspace_id",
    {
      schema: {
        tags: ["Workspaces"],
        operationId: "deleteWorkspace",
        summary: "Delete a workspace and everything in it",
        description:
          "Nobody reaches it from then on, and its handle is free; what is in it is deleted piece by piece. It cannot be undone.",
        params: WorkspaceId,
        querystring: HandleConfirmation,
        response: { 204: Type.Null() },
      },
    },
    async ({ access, params, query }, reply) => {
      await deleteWorkspace(ctx, access, { id: params.workspace_id, handle: query.handle });
      return reply.code(204).send();
    },
  );

  api.delete(
    "/accounts/:account_id",
    {
      schema: {
        tags: ["Accounts"],
        operationId: "deleteAccount",
        summary: "Delete an account, its workspaces and everything in them",
        description: "Not the first account of the server. It cannot be undone.",
        params: AccountId,
        querystring: HandleConfirmation,
        response: { 204: Type.Null() },
      },
    },
    async ({ access, query }, reply) => {
      await deleteAccount(ctx, access, { handle: query.handle });
      return reply.code(204).send();
    },
  );
}

import {
  AccountId,
  Workspace,
  WorkspaceCreate,
  WorkspaceId,
  WorkspaceUpdate,
} from "@orchestrator/contract";
import type { ApiInstance } from "@orchestrator/kernel/http";
import { Type } from "typebox";
import type { AccountsContext } from "../../context.ts";
import {
  createWorkspace,
  listReachable,
  readWorkspace,
  updateWorkspace,
} from "./workspaces.service.ts";

export function workspaceRoutes(api: ApiInstance, ctx: AccountsContext): void {
  const tags = ["Workspaces"];

  api.post(
    "/accounts/:account_id/workspaces",
    {
      schema: {
        tags,
        operationId: "createWorkspace",
        summary: "Create a workspace",
        params: AccountId,
        body: WorkspaceCreate,
        response: { 201: Workspace },
      },
    },
    async ({ access, body }, reply) =>
      reply.code(201).send(await createWorkspace(ctx, access, body)),
  );

  api.get(
    "/accounts/:account_id/workspaces",
    {
      schema: {
        tags,
        operationId: "listWorkspaces",
        summary: "The workspaces of the account that the key is good for, oldest first",
        params: AccountId,
        response: { 200: Type.Array(Workspace) },
      },
    },
    ({ access }) => listReachable(ctx, access),
  );

  api.get(
    "/accounts/:account_id/workspaces/:workspace_id",
    {
      schema: {
        tags,
        operationId: "readWorkspace",
        summary: "Read a workspace",
        params: WorkspaceId,
        response: { 200: Workspace },
      },
    },
    ({ access, params }) => readWorkspace(ctx, access, params.workspace_id),
  );

  api.patch(
    "/accounts/:account_id/workspaces/:workspace_id",
    {
      schema: {
        tags,
        operationId: "updateWorkspace",
        summary: "Change the given fields of a workspace",
        params: WorkspaceId,
        body: WorkspaceUpdate,
        response: { 204: Type.Null() },
      },
    },
    async ({ access, params, body }, reply) => {
      await updateWorkspace(ctx, access, { id: params.workspace_id, changes: body });
      return reply.code(204).send();
    },
  );
}

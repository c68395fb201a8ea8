import { Me, MyAccount, MyWorkspace } from "@orchestrator/contract";
import type { ApiInstance } from "@orchestrator/kernel";
import { Type } from "typebox";
import type { AccountsContext } from "../../context.ts";
import { describeMe, listMyAccounts, listMyWorkspaces } from "./me.service.ts";

export function meRoutes(api: ApiInstance, ctx: AccountsContext): void {
  const tags = ["Me"];

  api.get(
    "/me",
    {
      schema: {
        tags,
        operationId: "readMe",
        summary: "Whose key this is and what it may do",
        response: { 200: Me },
      },
    },
    async ({ access }) => describeMe(access),
  );

  api.get(
    "/me/accounts",
    {
      schema: {
        tags,
        operationId: "listMyAccounts",
        summary: "The accounts that the key is good for",
        response: { 200: Type.Array(MyAccount) },
      },
    },
    ({ access }) => listMyAccounts(ctx, access),
  );

  api.get(
    "/me/workspaces",
    {
      schema: {
        tags,
        operationId: "listMyWorkspaces",
        summary: "The workspaces that the key is good for, oldest first",
        response: { 200: Type.Array(MyWorkspace) },
      },
    },
    ({ access }) => listMyWorkspaces(ctx, access),
  );
}

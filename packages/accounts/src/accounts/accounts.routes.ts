import {
  Account,
  AccountCreate,
  AccountId,
  AccountUpdate,
  CreatedAccount,
} from "@orchestrator/contract";
import type { ApiInstance } from "@orchestrator/kernel/http";
import { Type } from "typebox";
import type { AccountsContext } from "../context.ts";
import { createAccount, readAccount, updateAccount } from "./accounts.service.ts";

export function accountRoutes(api: ApiInstance, ctx: AccountsContext): void {
  const tags = ["Accounts"];

  api.post(
    "/accounts/",
    {
      schema: {
        tags,
        operationId: "createAccount",
        summary: "Create another account, with a workspace and a key of its own",
        body: AccountCreate,
        response: { 201: CreatedAccount },
      },
    },
    async ({ access, body }, reply) => reply.code(201).send(await createAccount(ctx, access, body)),
  );

  api.get(
    "/accounts/:account_id",
    {
      schema: {
        tags,
        operationId: "readAccount",
        summary: "Read an account",
        params: AccountId,
        response: { 200: Account },
      },
    },
    ({ access }) => readAccount(ctx, access),
  );

  api.patch(
    "/accounts/:account_id",
    {
      schema: {
        tags,
        operationId: "updateAccount",
        summary: "Change the given fields of an account",
        params: AccountId,
        body: AccountUpdate,
        response: { 204: Type.Null() },
      },
    },
    async ({ access, body }, reply) => {
      await updateAccount(ctx, access, body);
      return reply.code(204).send();
    },
  );
}

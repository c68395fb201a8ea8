import {
  AccountId,
  AccountPartId,
  ServiceAccount,
  ServiceAccountCreate,
} from "@orchestrator/contract";
import type { ApiInstance } from "@orchestrator/kernel/http";
import { Type } from "typebox";
import type { AccountsContext } from "../../context.ts";
import { createServiceAccount, deleteServiceAccount } from "./service-accounts.service.ts";
import { listServiceAccounts } from "./service-accounts.store.ts";

export function serviceAccountRoutes(api: ApiInstance, ctx: AccountsContext): void {
  const tags = ["Service accounts"];

  api.post(
    "/accounts/:account_id/service_accounts",
    {
      schema: {
        tags,
        operationId: "createServiceAccount",
        summary: "Create a service account: somebody who is a program",
        params: AccountId,
        body: ServiceAccountCreate,
        response: { 201: ServiceAccount },
      },
    },
    async ({ access, body }, reply) =>
      reply.code(201).send(await createServiceAccount(ctx, access, body)),
  );

  api.get(
    "/accounts/:account_id/service_accounts",
    {
      schema: {
        tags,
        operationId: "listServiceAccounts",
        summary: "The service accounts of the account, by name",
        params: AccountId,
        response: { 200: Type.Array(ServiceAccount) },
      },
    },
    ({ access }) => listServiceAccounts(ctx.db, access.accountId),
  );

  api.delete(
    "/accounts/:account_id/service_accounts/:id",
    {
      schema: {
        tags,
        operationId: "deleteServiceAccount",
        summary: "Delete a service account and revoke its keys",
        params: AccountPartId,
        response: { 204: Type.Null() },
      },
    },
    async ({ access, params }, reply) => {
      await deleteServiceAccount(ctx, access, params.id);
      return reply.code(204).send();
    },
  );
}

import {
  AccountId,
  AccountPartId,
  ApiKey,
  ApiKeyCreate,
  ApiKeyUpdate,
  CreatedApiKey,
} from "@orchestrator/contract";
import type { ApiInstance } from "@orchestrator/kernel/http";
import { Type } from "typebox";
import type { AccountsContext } from "../context.ts";
import { createKey, listVisibleKeys, revokeKey, updateKey } from "./keys.service.ts";

export function keyRoutes(api: ApiInstance, ctx: AccountsContext): void {
  const tags = ["API keys"];

  api.post(
    "/accounts/:account_id/api_keys",
    {
      schema: {
        tags,
        operationId: "createApiKey",
        summary: "Create an API key, which is shown this once",
        description:
          "For whoever asks, or for a service account. It opens no more than the key it is made with, and not for longer.",
        params: AccountId,
        body: ApiKeyCreate,
        response: { 201: CreatedApiKey },
      },
    },
    async ({ access, body }, reply) => reply.code(201).send(await createKey(ctx, access, body)),
  );

  api.get(
    "/accounts/:account_id/api_keys",
    {
      schema: {
        tags,
        operationId: "listApiKeys",
        summary: "The keys of whoever asks; for admins and owners all of the account",
        params: AccountId,
        response: { 200: Type.Array(ApiKey) },
      },
    },
    ({ access }) => listVisibleKeys(ctx, access),
  );

  api.patch(
    "/accounts/:account_id/api_keys/:id",
    {
      schema: {
        tags,
        operationId: "updateApiKey",
        summary: "Say how often an API key may ask",
        params: AccountPartId,
        body: ApiKeyUpdate,
        response: { 204: Type.Null() },
      },
    },
    async ({ access, params, body }, reply) => {
      await updateKey(ctx, access, { id: params.id, changes: body });
      return reply.code(204).send();
    },
  );

  api.delete(
    "/accounts/:account_id/api_keys/:id",
    {
      schema: {
        tags,
        operationId: "revokeApiKey",
        summary: "Revoke an API key, which ends what is done with it at once",
        params: AccountPartId,
        response: { 204: Type.Null() },
      },
    },
    async ({ access, params }, reply) => {
      await revokeKey(ctx, access, params.id);
      return reply.code(204).send();
    },
  );
}

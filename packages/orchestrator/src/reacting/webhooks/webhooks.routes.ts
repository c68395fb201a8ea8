import {
  ById,
  ReceivedEvent,
  Webhook,
  WebhookCount,
  WebhookCreate,
  WebhookList,
  WebhookSample,
  WebhookUpdate,
  WebhookWithToken,
} from "@orchestrator/contract";
import { type ApiInstance, sendJsonText } from "@orchestrator/kernel/http";
import { countRows, listJson } from "@orchestrator/kernel/lists";
import { Type } from "typebox";
import type { OrchestratorContext } from "../../context.ts";
import { WEBHOOK_LIST } from "./webhooks.filter.ts";
import {
  createWebhook,
  deleteWebhook,
  previewWebhook,
  readWebhook,
  rotateToken,
  updateWebhook,
} from "./webhooks.service.ts";

const tags = ["Webhooks"];

export function webhookRoutes(api: ApiInstance, ctx: OrchestratorContext): void {
  api.post(
    "/webhooks/",
    {
      schema: {
        tags,
        operationId: "createWebhook",
        summary: "Create a webhook",
        description: "The answer is the only one with the token that its address is made of.",
        body: WebhookCreate,
        response: { 201: WebhookWithToken },
      },
    },
    async ({ body, scope }, reply) => reply.code(201).send(await createWebhook(ctx, scope, body)),
  );

  api.post(
    "/webhooks/filter",
    {
      schema: {
        tags,
        operationId: "listWebhooks",
        summary: "List webhooks",
        body: WebhookList,
        response: { 200: Type.Array(Webhook) },
      },
    },
    async ({ body, scope }, reply) => {
      const { webhooks, sort, limit, offset } = body;
      const page = { filter: webhooks, sort, limit, offset };
      return sendJsonText(reply, await listJson(ctx.db.in(scope.workspaceId), WEBHOOK_LIST, page));
    },
  );

  api.post(
    "/webhooks/count",
    {
      schema: {
        tags,
        operationId: "countWebhooks",
        summary: "Count webhooks",
        body: WebhookCount,
        response: { 200: Type.Integer() },
      },
    },
    async ({ body, scope }) =>
      countRows(ctx.db.in(scope.workspaceId), WEBHOOK_LIST, { filter: body.webhooks }),
  );

  api.get(
    "/webhooks/:id",
    {
      schema: {
        tags,
        operationId: "readWebhook",
        summary: "Read a webhook, without its token",
        params: ById,
        response: { 200: Webhook },
      },
    },
    async ({ params: { id }, scope }, reply) =>
      sendJsonText(reply, await readWebhook(ctx, scope, id)),
  );

  // The established command line changes fields with PUT.
  for (const { method, operationId } of [
    { method: "PATCH", operationId: "updateWebhook" },
    { method: "PUT", operationId: "putWebhook" },
  ]) {
    api.route({
      method,
      url: "/webhooks/:id",
      schema: {
        tags,
        operationId,
        summary: "Change the given fields of a webhook",
        params: ById,
        body: WebhookUpdate,
        response: { 204: Type.Null() },
      },
      handler: async ({ params: { id }, body: changes, scope }, reply) => {
        await updateWebhook(ctx, scope, { id, changes });
        return reply.code(204).send();
      },
    });
  }

  api.delete(
    "/webhooks/:id",
    {
      schema: {
        tags,
        operationId: "deleteWebhook",
        summary: "Delete a webhook",
        params: ById,
        response: { 204: Type.Null() },
      },
    },
    async ({ params: { id }, scope }, reply) => {
      await deleteWebhook(ctx, scope, id);
      return reply.code(204).send();
    },
  );

  api.post(
    "/webhooks/:id/rotate",
    {
      schema: {
        tags,
        operationId: "rotateWebhookToken",
        summary: "Give a webhook another token; the present one opens nothing from now on",
        params: ById,
        response: { 200: WebhookWithToken },
      },
    },
    ({ params: { id }, scope }) => rotateToken(ctx, scope, id),
  );

  api.post(
    "/webhooks/:id/preview",
    {
      schema: {
        tags,
        operationId: "previewWebhook",
        summary: "Show the event that a request would become, and store nothing",
        params: ById,
        body: WebhookSample,
        response: { 200: ReceivedEvent },
      },
    },
    async ({ params: { id }, body: sample, scope }, reply) =>
      sendJsonText(reply, await previewWebhook(ctx, scope, { id, sample })),
  );
}

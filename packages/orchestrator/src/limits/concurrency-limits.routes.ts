import {
  ConcurrencyLimitCreate,
  ConcurrencyLimitKey,
  ConcurrencyLimitList,
  ConcurrencyLimitRecord,
  ConcurrencyLimitState,
  ConcurrencyLimitUpdate,
  SlotHolder,
  SlotHolderPage,
} from "@orchestrator/contract";
import { type ApiInstance, normaliseUuid, sendJsonText } from "@orchestrator/kernel/http";
import { listJson } from "@orchestrator/kernel/lists";
import { Type } from "typebox";
import type { OrchestratorContext } from "../context.ts";
import { CONCURRENCY_LIMIT_LIST } from "./concurrency-limits.filter.ts";
import {
  createLimit,
  deleteLimitByKey,
  readLimit,
  updateLimit,
} from "./concurrency-limits.service.ts";
import { listHolders } from "./slots.service.ts";
import type { LimitKey } from "./slots.store.ts";

const PATH = "/v2/concurrency_limits";

function keyOf({ id_or_name: text }: { readonly id_or_name: string }): LimitKey {
  const id = normaliseUuid(text);
  return id === undefined ? { name: text } : { id };
}

export function concurrencyLimitRoutes(api: ApiInstance, ctx: OrchestratorContext): void {
  const tags = ["Concurrency limits"];

  api.post(
    `${PATH}/`,
    {
      schema: {
        tags,
        operationId: "createConcurrencyLimit",
        summary: "Create a limit",
        body: ConcurrencyLimitCreate,
        response: { 201: ConcurrencyLimitRecord },
      },
    },
    async (request, reply) =>
      reply.code(201).send(await createLimit(ctx, request.scope, request.body)),
  );

  api.post(
    `${PATH}/filter`,
    {
      schema: {
        tags,
        operationId: "listConcurrencyLimits",
        summary: "List limits",
        body: ConcurrencyLimitList,
        response: { 200: Type.Array(ConcurrencyLimitState) },
      },
    },
    async (request, reply) => {
      const { limit, offset } = request.body;
      const page = { limit, offset, now: ctx.clock.now() };
      const queries = ctx.db.in(request.scope.workspaceId);
      return sendJsonText(reply, await listJson(queries, CONCURRENCY_LIMIT_LIST, page));
    },
  );

  api.get(
    `${PATH}/:id_or_name`,
    {
      schema: {
        tags,
        operationId: "readConcurrencyLimit",
        summary: "Read a limit by id or name",
        params: ConcurrencyLimitKey,
        response: { 200: ConcurrencyLimitState },
      },
    },
    async (request, reply) =>
      sendJsonText(reply, await readLimit(ctx, request.scope, keyOf(request.params))),
  );

  api.get(
    `${PATH}/:id_or_name/holders`,
    {
      schema: {
        tags,
        operationId: "listConcurrencySlotHolders",
        summary: "List who holds the slots of a limit, the oldest first",
        params: ConcurrencyLimitKey,
        querystring: SlotHolderPage,
        response: { 200: Type.Array(SlotHolder) },
      },
    },
    async (request) =>
      listHolders(ctx, request.scope, { key: keyOf(request.params), ...request.query }),
  );

  api.patch(
    `${PATH}/:id_or_name`,
    {
      schema: {
        tags,
        operationId: "updateConcurrencyLimit",
        summary: "Change the given fields of a limit by id or name",
        params: ConcurrencyLimitKey,
        body: ConcurrencyLimitUpdate,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const { params, body, scope } = request;
      await updateLimit(ctx, scope, { key: keyOf(params), changes: body });
      return reply.code(204).send();
    },
  );

  api.delete(
    `${PATH}/:id_or_name`,
    {
      schema: {
        tags,
        operationId: "deleteConcurrencyLimit",
        summary: "Delete a limit by id or name, and free what it holds up",
        params: ConcurrencyLimitKey,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await deleteLimitByKey(ctx, request.scope, keyOf(request.params));
      return reply.code(204).send();
    },
  );
}

import {
  ById,
  FlowRun,
  WorkPoolOfQueues,
  WorkQueue,
  WorkQueueByName,
  WorkQueueConcurrency,
  WorkQueueConcurrencyPages,
  WorkQueueCreate,
  WorkQueueHealth,
  WorkQueueInPool,
  WorkQueueList,
  WorkQueuePoll,
  WorkQueueUpdate,
} from "@orchestrator/contract";
import { type ApiInstance, sendJsonText } from "@orchestrator/kernel/http";
import { listJson } from "@orchestrator/kernel/lists";
import { Type } from "typebox";
import type { OrchestratorContext } from "../../context.ts";
import { readQueueConcurrency, readQueueHealth } from "../pools/occupancy.service.ts";
import { pollWorkQueue } from "../pools/polling.service.ts";
import { WORK_QUEUE_LIST } from "./work-queues.filter.ts";
import {
  createWorkQueue,
  deleteWorkQueue,
  listQueuesOfPool,
  readWorkQueue,
  readWorkQueueByName,
  updateWorkQueue,
} from "./work-queues.service.ts";

/** A queue has two addresses; both take the same verbs. */
const ADDRESSES = [
  {
    path: "/work_pools/:work_pool_name/queues/:name",
    params: WorkQueueInPool,
    operation: "WorkQueueInPool",
    by: "by its name in a work pool",
  },
  { path: "/work_queues/:id", params: ById, operation: "WorkQueue", by: "by id" },
] as const;

export function workQueueRoutes(api: ApiInstance, ctx: OrchestratorContext): void {
  const tags = ["Work queues"];
  queuesOfPoolRoutes(api, ctx, tags);
  standaloneRoutes(api, ctx, tags);

  for (const { path, params, operation, by } of ADDRESSES) {
    api.get(
      path,
      {
        schema: {
          tags,
          operationId: `read${operation}`,
          summary: `Read a work queue ${by}`,
          params,
          response: { 200: WorkQueue },
        },
      },
      async (request, reply) =>
        sendJsonText(reply, await readWorkQueue(ctx, request.scope, request.params)),
    );

    api.patch(
      path,
      {
        schema: {
          tags,
          operationId: `update${operation}`,
          summary: `Change the given fields of a work queue ${by}`,
          params,
          body: WorkQueueUpdate,
          response: { 204: Type.Null() },
        },
      },
      async (request, reply) => {
        const { params: address, body: changes } = request;
        await updateWorkQueue(ctx, request.scope, { address, changes });
        return reply.code(204).send();
      },
    );

    api.delete(
      path,
      {
        schema: {
          tags,
          operationId: `delete${operation}`,
          summary: `Delete a work queue ${by}`,
          params,
          response: { 204: Type.Null() },
        },
      },
      async (request, reply) => {
        await deleteWorkQueue(ctx, request.scope, request.params);
        return reply.code(204).send();
      },
    );
  }
}

function queuesOfPoolRoutes(
  api: ApiInstance,
  ctx: OrchestratorContext,
  tags: readonly string[],
): void {
  api.post(
    "/work_pools/:work_pool_name/queues",
    {
      schema: {
        tags,
        operationId: "createWorkQueueInPool",
        summary: "Add a queue to a work pool",
        params: WorkPoolOfQueues,
        body: WorkQueueCreate,
        response: { 201: WorkQueue },
      },
    },
    async (request, reply) => {
      const { work_pool_name: poolName } = request.params;
      const queue = await createWorkQueue(ctx, request.scope, { poolName, queue: request.body });
      return sendJsonText(reply.code(201), queue);
    },
  );

  api.post(
    "/work_pools/:work_pool_name/queues/filter",
    {
      schema: {
        tags,
        operationId: "listWorkQueuesInPool",
        summary: "List the queues of a work pool by priority",
        params: WorkPoolOfQueues,
        body: WorkQueueList,
        response: { 200: Type.Array(WorkQueue) },
      },
    },
    async (request, reply) => {
      const { work_pool_name: poolName } = request.params;
      const { work_queues: filter, limit, offset } = request.body;
      const page = { filter, limit, offset };
      return sendJsonText(reply, await listQueuesOfPool(ctx, request.scope, { poolName, page }));
    },
  );
}

function standaloneRoutes(
  api: ApiInstance,
  ctx: OrchestratorContext,
  tags: readonly string[],
): void {
  api.post(
    "/work_queues/",
    {
      schema: {
        tags,
        operationId: "createWorkQueue",
        summary: "Add a queue to the agents' work pool, which is made when it is missing",
        body: WorkQueueCreate,
        response: { 201: WorkQueue },
      },
    },
    async (request, reply) => {
      const asked = { poolName: null, queue: request.body };
      return sendJsonText(reply.code(201), await createWorkQueue(ctx, request.scope, asked));
    },
  );

  api.post(
    "/work_queues/filter",
    {
      schema: {
        tags,
        operationId: "listWorkQueues",
        summary: "List work queues by name",
        body: WorkQueueList,
        response: { 200: Type.Array(WorkQueue) },
      },
    },
    async (request, reply) => {
      const { work_queues: filter, limit, offset } = request.body;
      const queries = ctx.db.in(request.scope.workspaceId);
      return sendJsonText(
        reply,
        await listJson(queries, WORK_QUEUE_LIST, { filter, limit, offset }),
      );
    },
  );

  api.get(
    "/work_queues/name/:name",
    {
      schema: {
        tags,
        operationId: "readWorkQueueByName",
        summary: "Read a work queue by name, of the agents' work pool first",
        params: WorkQueueByName,
        response: { 200: WorkQueue },
      },
    },
    async (request, reply) =>
      sendJsonText(reply, await readWorkQueueByName(ctx, request.scope, request.params.name)),
  );

  api.get(
    "/work_queues/:id/status",
    {
      schema: {
        tags,
        operationId: "readWorkQueueHealth",
        summary: "Whether a work queue is polled and keeps up",
        params: ById,
        response: { 200: WorkQueueHealth },
      },
    },
    async (request) => readQueueHealth(ctx, request.scope, request.params.id),
  );

  api.post(
    "/work_queues/:id/get_runs",
    {
      schema: {
        tags,
        operationId: "pollWorkQueue",
        summary: "The due runs of the work queues with the name of this one",
        params: ById,
        body: WorkQueuePoll,
        response: { 200: Type.Array(FlowRun) },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const isLookedAt = request.headers[ctx.dialect.uiHeader] === "true";
      const poll = { id, poll: request.body, isLookedAt };
      return sendJsonText(reply, await pollWorkQueue(ctx, request.scope, poll));
    },
  );

  api.post(
    "/work_queues/:id/concurrency_status",
    {
      schema: {
        tags,
        operationId: "readWorkQueueConcurrency",
        summary: "Which runs take up the places of a work queue",
        params: ById,
        body: WorkQueueConcurrencyPages,
        response: { 200: WorkQueueConcurrency },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const { page, limit } = request.body;
      return sendJsonText(
        reply,
        await readQueueConcurrency(ctx, request.scope, { id, page, limit }),
      );
    },
  );
}

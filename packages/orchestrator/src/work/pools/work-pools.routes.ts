import {
  WorkerFlowRun,
  WorkPool,
  WorkPoolByName,
  WorkPoolConcurrency,
  WorkPoolConcurrencyPages,
  WorkPoolCount,
  WorkPoolCreate,
  WorkPoolList,
  WorkPoolPoll,
  WorkPoolUpdate,
} from "@orchestrator/contract";
import { type ApiInstance, clientDisconnected, sendJsonText } from "@orchestrator/kernel/http";
import { countRows, listJson } from "@orchestrator/kernel/lists";
import { Type } from "typebox";
import type { OrchestratorContext } from "../../context.ts";
import { readPoolConcurrency } from "./occupancy.service.ts";
import { poolsFor } from "./older-clients.rules.ts";
import { flushPolls } from "./poll-flush.service.ts";
import { pollWorkPool } from "./polling.service.ts";
import { WORK_POOL_LIST } from "./work-pools.filter.ts";
import {
  createWorkPool,
  deleteWorkPool,
  readWorkPool,
  updateWorkPool,
} from "./work-pools.service.ts";

export function workPoolRoutes(api: ApiInstance, ctx: OrchestratorContext): void {
  const tags = ["Work pools"];

  // Requests are let finish before the server goes; those that only wait must not hold it up.
  api.addHook("preClose", async () => {
    ctx.waits.stop();
  });

  // What was polled in the last moments is written down before the server goes.
  api.addHook("onClose", async () => {
    await flushPolls(ctx).catch((error: unknown) => {
      ctx.log.warn({ err: error }, "The last polls could not be written down");
    });
  });

  api.post(
    "/work_pools/",
    {
      schema: {
        tags,
        operationId: "createWorkPool",
        summary: "Create a work pool with its default queue",
        body: WorkPoolCreate,
        response: { 201: WorkPool },
      },
    },
    async (request, reply) => {
      const pool = await createWorkPool(ctx, request.scope, request.body);
      return sendJsonText(reply.code(201), poolsFor(request.headers["user-agent"], pool));
    },
  );

  api.post(
    "/work_pools/filter",
    {
      schema: {
        tags,
        operationId: "listWorkPools",
        summary: "List work pools, by name unless sorted otherwise",
        body: WorkPoolList,
        response: { 200: Type.Array(WorkPool) },
      },
    },
    async (request, reply) => {
      const { work_pools: filter, sort, limit, offset } = request.body;
      const queries = ctx.db.in(request.scope.workspaceId);
      const pools = await listJson(queries, WORK_POOL_LIST, { filter, sort, limit, offset });
      return sendJsonText(reply, poolsFor(request.headers["user-agent"], pools));
    },
  );

  api.post(
    "/work_pools/count",
    {
      schema: {
        tags,
        operationId: "countWorkPools",
        summary: "Count work pools",
        body: WorkPoolCount,
        response: { 200: Type.Integer() },
      },
    },
    async (request) =>
      countRows(ctx.db.in(request.scope.workspaceId), WORK_POOL_LIST, {
        filter: request.body.work_pools,
      }),
  );

  api.get(
    "/work_pools/:name",
    {
      schema: {
        tags,
        operationId: "readWorkPool",
        summary: "Read a work pool",
        params: WorkPoolByName,
        response: { 200: WorkPool },
      },
    },
    async (request, reply) => {
      const pool = await readWorkPool(ctx, request.scope, request.params.name);
      return sendJsonText(reply, poolsFor(request.headers["user-agent"], pool));
    },
  );

  api.patch(
    "/work_pools/:name",
    {
      schema: {
        tags,
        operationId: "updateWorkPool",
        summary: "Change the given fields of a work pool",
        params: WorkPoolByName,
        body: WorkPoolUpdate,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const { name } = request.params;
      await updateWorkPool(ctx, request.scope, { name, changes: request.body });
      return reply.code(204).send();
    },
  );

  api.delete(
    "/work_pools/:name",
    {
      schema: {
        tags,
        operationId: "deleteWorkPool",
        summary: "Delete a work pool with its queues and workers",
        params: WorkPoolByName,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await deleteWorkPool(ctx, request.scope, request.params.name);
      return reply.code(204).send();
    },
  );

  api.post(
    "/work_pools/:name/get_scheduled_flow_runs",
    {
      config: { mayWait: true },
      schema: {
        tags,
        operationId: "pollWorkPool",
        summary: "The runs of a work pool that are due, as many as its limits leave room for",
        params: WorkPoolByName,
        body: WorkPoolPoll,
        response: { 200: Type.Array(WorkerFlowRun) },
      },
    },
    async (request, reply) => {
      const { name } = request.params;
      return sendJsonText(
        reply,
        await pollWorkPool(ctx, request.scope, {
          name,
          poll: request.body,
          gone: () => clientDisconnected(reply),
        }),
      );
    },
  );

  api.post(
    "/work_pools/:name/concurrency_status",
    {
      schema: {
        tags,
        operationId: "readWorkPoolConcurrency",
        summary: "Which runs take up the places of a work pool",
        params: WorkPoolByName,
        body: WorkPoolConcurrencyPages,
        response: { 200: WorkPoolConcurrency },
      },
    },
    async (request, reply) => {
      const { name } = request.params;
      const { page, limit, flow_run_limit: shownRuns } = request.body;
      const status = await readPoolConcurrency(ctx, request.scope, {
        name,
        page,
        limit,
        shownRuns,
      });
      return sendJsonText(reply, status);
    },
  );
}

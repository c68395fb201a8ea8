import {
  Worker,
  WorkerHeartbeat,
  WorkerInPool,
  WorkerList,
  WorkPoolOfWorkers,
} from "@orchestrator/contract";
import { type ApiInstance, sendJsonText, textAnswer } from "@orchestrator/kernel/http";
import { Type } from "typebox";
import type { OrchestratorContext } from "../../context.ts";
import { deleteWorker, listWorkers, recordHeartbeat } from "./workers.service.ts";

export function workerRoutes(api: ApiInstance, ctx: OrchestratorContext): void {
  const tags = ["Workers"];

  api.post(
    "/work_pools/:work_pool_name/workers/heartbeat",
    {
      schema: {
        tags,
        operationId: "recordWorkerHeartbeat",
        summary: "Tell that a worker lives",
        description: "With `return_id` the answer is 200 and the worker's id as plain text.",
        params: WorkPoolOfWorkers,
        body: WorkerHeartbeat,
        response: {
          200: textAnswer("text/plain", {
            description: "The id of the worker, where it was asked for",
          }),
          204: Type.Null(),
        },
      },
    },
    async (request, reply) => {
      const { work_pool_name: poolName } = request.params;
      const id = await recordHeartbeat(ctx, request.scope, { poolName, heartbeat: request.body });
      if (request.body.return_id === true) return reply.type("text/plain; charset=utf-8").send(id);
      return reply.code(204).send();
    },
  );

  api.post(
    "/work_pools/:work_pool_name/workers/filter",
    {
      schema: {
        tags,
        operationId: "listWorkers",
        summary: "List the workers of a work pool, the last heard of first unless sorted otherwise",
        params: WorkPoolOfWorkers,
        body: WorkerList,
        response: { 200: Type.Array(Worker) },
      },
    },
    async (request, reply) => {
      const { work_pool_name: poolName } = request.params;
      const { workers: filter, sort, limit, offset } = request.body;
      const page = { filter, sort, limit, offset };
      return sendJsonText(reply, await listWorkers(ctx, request.scope, { poolName, page }));
    },
  );

  api.delete(
    "/work_pools/:work_pool_name/workers/:name",
    {
      schema: {
        tags,
        operationId: "deleteWorker",
        summary: "Forget a worker",
        params: WorkerInPool,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const { work_pool_name: poolName, name } = request.params;
      await deleteWorker(ctx, request.scope, { poolName, name });
      return reply.code(204).send();
    },
  );
}

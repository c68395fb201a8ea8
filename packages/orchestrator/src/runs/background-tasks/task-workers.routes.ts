import { TaskWorker, TaskWorkerList } from "@orchestrator/contract";
import type { ApiInstance } from "@orchestrator/kernel/http";
import { Type } from "typebox";
import type { OrchestratorContext } from "../../context.ts";
import { listTaskWorkers } from "./task-workers.service.ts";

export function taskWorkerRoutes(api: ApiInstance, ctx: OrchestratorContext): void {
  api.post(
    "/task_workers/filter",
    {
      schema: {
        tags: ["Task workers"],
        operationId: "listTaskWorkers",
        summary: "List the task workers that are connected",
        body: TaskWorkerList,
        response: { 200: Type.Array(TaskWorker) },
      },
    },
    (request) => listTaskWorkers(ctx, request.scope, request.body.task_worker_filter?.task_keys),
  );
}

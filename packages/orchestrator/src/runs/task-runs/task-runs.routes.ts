import {
  ById,
  OrchestrationResult,
  SetState,
  TaskRun,
  TaskRunCount,
  TaskRunCreate,
  TaskRunList,
  TaskRunPages,
  TaskRunUpdate,
} from "@orchestrator/contract";
import { type ApiInstance, sendJsonText } from "@orchestrator/kernel/http";
import { Type } from "typebox";
import type { OrchestratorContext } from "../../context.ts";
import { largeBody } from "../../http/large-body.ts";
import { listRoutes } from "../../lists/list-routes.ts";
import { TASK_RUN_RELATIONS } from "../../lists/relations.ts";
import { TASK_RUN_LIST } from "../../lists/task-runs.filter.ts";
import { answerStatus } from "../orchestration/apply-rules.ts";
import { setTaskRunState } from "../orchestration/set-task-run-state.ts";
import { createTaskRun, deleteTaskRun, readTaskRun, renameTaskRun } from "./task-runs.service.ts";

export function taskRunRoutes(api: ApiInstance, ctx: OrchestratorContext): void {
  const tags = ["Task runs"];

  listRoutes(api, ctx, {
    key: "task_runs",
    plural: "TaskRuns",
    words: "task runs",
    tags,
    record: TaskRun,
    list: TASK_RUN_LIST,
    relations: TASK_RUN_RELATIONS,
    bodies: { list: TaskRunList, count: TaskRunCount, pages: TaskRunPages },
  });

  api.post(
    "/task_runs/",
    {
      // A task that takes the results of very many others names them all.
      bodyLimit: largeBody(api),
      schema: {
        tags,
        operationId: "createTaskRun",
        summary: "Create a task run",
        body: TaskRunCreate,
        response: { 200: TaskRun, 201: TaskRun },
      },
    },
    async (request, reply) => {
      const { json, isNew } = await createTaskRun(ctx, request.scope, request.body);
      return sendJsonText(reply.code(isNew ? 201 : 200), json);
    },
  );

  api.get(
    "/task_runs/:id",
    {
      schema: {
        tags,
        operationId: "readTaskRun",
        summary: "Read a task run",
        params: ById,
        response: { 200: TaskRun },
      },
    },
    async (request, reply) =>
      sendJsonText(reply, await readTaskRun(ctx, request.scope, request.params.id)),
  );

  api.patch(
    "/task_runs/:id",
    {
      schema: {
        tags,
        operationId: "updateTaskRun",
        summary: "Rename a task run",
        params: ById,
        body: TaskRunUpdate,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      await renameTaskRun(ctx, request.scope, { id, name: request.body.name });
      return reply.code(204).send();
    },
  );

  api.delete(
    "/task_runs/:id",
    {
      schema: {
        tags,
        operationId: "deleteTaskRun",
        summary: "Delete a task run",
        params: ById,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await deleteTaskRun(ctx, request.scope, request.params.id);
      return reply.code(204).send();
    },
  );

  api.post(
    "/task_runs/:id/set_state",
    {
      bodyLimit: largeBody(api),
      schema: {
        tags,
        operationId: "setTaskRunState",
        summary: "Propose a state for a task run",
        params: ById,
        body: SetState,
        response: { 200: OrchestrationResult, 201: OrchestrationResult },
      },
    },
    async (request, reply) => {
      const began = ctx.clock.now();
      const { state, force } = request.body;
      const { id } = request.params;
      const result = await setTaskRunState(ctx, request.scope, { id, state, force });
      return reply.code(answerStatus(result, began)).send(result);
    },
  );
}

import {
  ById,
  OrchestrationResult,
  PaginatedOf,
  SetState,
  TaskRun,
  TaskRunCount,
  TaskRunCreate,
  TaskRunList,
  TaskRunPages,
  TaskRunUpdate,
} from "@orchestrator/contract";
import {
  type ApiInstance,
  countRows,
  listJson,
  pageJson,
  sendJsonText,
} from "@orchestrator/kernel";
import { Type } from "typebox";
import type { OrchestratorContext } from "../../context.ts";
import { TASK_RUN_RELATIONS } from "../../filters/relations.ts";
import { answerStatus } from "../../orchestration/apply-rules.ts";
import { setTaskRunState } from "../../orchestration/set-task-run-state.ts";
import { TASK_RUN_LIST } from "./task-runs.filter.ts";
import { createTaskRun, deleteTaskRun, readTaskRun, renameTaskRun } from "./task-runs.service.ts";

export function taskRunRoutes(api: ApiInstance, ctx: OrchestratorContext): void {
  const tags = ["Task runs"];

  api.post(
    "/task_runs/",
    {
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

  api.post(
    "/task_runs/filter",
    {
      schema: {
        tags,
        operationId: "listTaskRuns",
        summary: "List task runs",
        body: TaskRunList,
        response: { 200: Type.Array(TaskRun) },
      },
    },
    async (request, reply) => {
      const { task_runs: filter, sort, limit, offset } = request.body;
      const selection = { filter, related: request.body, relations: TASK_RUN_RELATIONS };
      const page = { ...selection, sort, limit, offset, now: ctx.clock.now() };
      const queries = ctx.db.in(request.scope.workspaceId);
      return sendJsonText(reply, await listJson(queries, TASK_RUN_LIST, page));
    },
  );

  api.post(
    "/task_runs/paginate",
    {
      schema: {
        tags,
        operationId: "paginateTaskRuns",
        summary: "List task runs by page",
        body: TaskRunPages,
        response: { 200: PaginatedOf(TaskRun, "TaskRunPage") },
      },
    },
    async (request, reply) => {
      const { task_runs: filter, sort, limit, page } = request.body;
      const selection = { filter, related: request.body, relations: TASK_RUN_RELATIONS };
      const wanted = { ...selection, ...(sort && { sort }), limit, page, now: ctx.clock.now() };
      const queries = ctx.db.in(request.scope.workspaceId);
      return sendJsonText(reply, await pageJson(queries, TASK_RUN_LIST, wanted));
    },
  );

  api.post(
    "/task_runs/count",
    {
      schema: {
        tags,
        operationId: "countTaskRuns",
        summary: "Count task runs",
        body: TaskRunCount,
        response: { 200: Type.Integer() },
      },
    },
    async (request) =>
      countRows(ctx.db.in(request.scope.workspaceId), TASK_RUN_LIST, {
        filter: request.body.task_runs,
        related: request.body,
        relations: TASK_RUN_RELATIONS,
      }),
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

import {
  ById,
  FlowRun,
  FlowRunCount,
  FlowRunCreate,
  FlowRunList,
  FlowRunPages,
  FlowRunUpdate,
  Labels,
  PaginatedOf,
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
import { FLOW_RUN_RELATIONS } from "../../filters/relations.ts";
import { createFlowRun } from "./create-flow-run.service.ts";
import { FLOW_RUN_LIST } from "./flow-runs.filter.ts";
import {
  addFlowRunLabels,
  deleteFlowRun,
  readFlowRun,
  updateFlowRun,
} from "./flow-runs.service.ts";

export function flowRunRoutes(api: ApiInstance, ctx: OrchestratorContext): void {
  const tags = ["Flow runs"];

  api.post(
    "/flow_runs/",
    {
      schema: {
        tags,
        operationId: "createFlowRun",
        summary: "Create a flow run",
        body: FlowRunCreate,
        response: { 200: FlowRun, 201: FlowRun },
      },
    },
    async (request, reply) => {
      const { json, isNew } = await createFlowRun(ctx, request.scope, request.body);
      return sendJsonText(reply.code(isNew ? 201 : 200), json);
    },
  );

  api.post(
    "/flow_runs/filter",
    {
      schema: {
        tags,
        operationId: "listFlowRuns",
        summary: "List flow runs",
        body: FlowRunList,
        response: { 200: Type.Array(FlowRun) },
      },
    },
    async (request, reply) => {
      const { flow_runs: filter, sort, limit, offset } = request.body;
      const selection = { filter, related: request.body, relations: FLOW_RUN_RELATIONS };
      const page = { ...selection, sort, limit, offset, now: ctx.clock.now() };
      const queries = ctx.db.in(request.scope.workspaceId);
      return sendJsonText(reply, await listJson(queries, FLOW_RUN_LIST, page));
    },
  );

  api.post(
    "/flow_runs/paginate",
    {
      schema: {
        tags,
        operationId: "paginateFlowRuns",
        summary: "List flow runs by page",
        body: FlowRunPages,
        response: { 200: PaginatedOf(FlowRun, "FlowRunPage") },
      },
    },
    async (request, reply) => {
      const { flow_runs: filter, sort, limit, page } = request.body;
      const selection = { filter, related: request.body, relations: FLOW_RUN_RELATIONS };
      const wanted = { ...selection, ...(sort && { sort }), limit, page, now: ctx.clock.now() };
      const queries = ctx.db.in(request.scope.workspaceId);
      return sendJsonText(reply, await pageJson(queries, FLOW_RUN_LIST, wanted));
    },
  );

  api.post(
    "/flow_runs/count",
    {
      schema: {
        tags,
        operationId: "countFlowRuns",
        summary: "Count flow runs",
        body: FlowRunCount,
        response: { 200: Type.Integer() },
      },
    },
    async (request) =>
      countRows(ctx.db.in(request.scope.workspaceId), FLOW_RUN_LIST, {
        filter: request.body.flow_runs,
        related: request.body,
        relations: FLOW_RUN_RELATIONS,
      }),
  );

  api.get(
    "/flow_runs/:id",
    {
      schema: {
        tags,
        operationId: "readFlowRun",
        summary: "Read a flow run",
        params: ById,
        response: { 200: FlowRun },
      },
    },
    async (request, reply) =>
      sendJsonText(reply, await readFlowRun(ctx, request.scope, request.params.id)),
  );

  api.patch(
    "/flow_runs/:id",
    {
      schema: {
        tags,
        operationId: "updateFlowRun",
        summary: "Change the given fields of a flow run",
        params: ById,
        body: FlowRunUpdate,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      await updateFlowRun(ctx, request.scope, { id, changes: request.body });
      return reply.code(204).send();
    },
  );

  api.patch(
    "/flow_runs/:id/labels",
    {
      schema: {
        tags,
        operationId: "addFlowRunLabels",
        summary: "Add labels to a flow run",
        params: ById,
        body: Labels,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      await addFlowRunLabels(ctx, request.scope, { id, labels: request.body });
      return reply.code(204).send();
    },
  );

  api.delete(
    "/flow_runs/:id",
    {
      schema: {
        tags,
        operationId: "deleteFlowRun",
        summary: "Delete a flow run with all that belongs to it",
        params: ById,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await deleteFlowRun(ctx, request.scope, request.params.id);
      return reply.code(204).send();
    },
  );
}

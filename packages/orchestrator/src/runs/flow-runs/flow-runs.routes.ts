import {
  ById,
  FlowRun,
  FlowRunCount,
  FlowRunCreate,
  FlowRunList,
  FlowRunPages,
  FlowRunUpdate,
  Labels,
} from "@orchestrator/contract";
import { type ApiInstance, sendJsonText } from "@orchestrator/kernel/http";
import { Type } from "typebox";
import type { OrchestratorContext } from "../../context.ts";
import { FLOW_RUN_LIST } from "../../lists/flow-runs.filter.ts";
import { listRoutes } from "../../lists/list-routes.ts";
import { FLOW_RUN_RELATIONS } from "../../lists/relations.ts";
import { createFlowRun } from "./create-flow-run.service.ts";
import {
  addFlowRunLabels,
  deleteFlowRun,
  readFlowRun,
  updateFlowRun,
} from "./flow-runs.service.ts";
import { runCreator } from "./run-creator.ts";

export function flowRunRoutes(api: ApiInstance, ctx: OrchestratorContext): void {
  const tags = ["Flow runs"];

  listRoutes(api, ctx, {
    key: "flow_runs",
    plural: "FlowRuns",
    words: "flow runs",
    tags,
    record: FlowRun,
    list: FLOW_RUN_LIST,
    relations: FLOW_RUN_RELATIONS,
    bodies: { list: FlowRunList, count: FlowRunCount, pages: FlowRunPages },
  });

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
    async ({ body, headers, scope }, reply) => {
      const createdBy = runCreator(ctx.dialect, headers);
      const { json, isNew } = await createFlowRun(ctx, scope, { body, createdBy });
      return sendJsonText(reply.code(isNew ? 201 : 200), json);
    },
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

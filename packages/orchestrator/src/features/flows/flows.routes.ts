import {
  ById,
  Deleted,
  Flow,
  FlowBulkDelete,
  FlowCount,
  FlowCreate,
  FlowList,
  FlowNameKey,
  FlowPages,
  FlowUpdate,
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
import { FLOW_RELATIONS } from "../../filters/relations.ts";
import { FLOW_LIST } from "./flows.filter.ts";
import { deleteFlow, deleteFlows, ensureFlow, readFlow, updateFlow } from "./flows.service.ts";

const FlowsPage = PaginatedOf(Flow, "FlowsPage");
const tags = ["Flows"];

export function flowRoutes(api: ApiInstance, ctx: OrchestratorContext): void {
  api.post(
    "/flows/",
    {
      schema: {
        tags,
        operationId: "createFlow",
        summary: "Create a flow, or read the one that has the name",
        body: FlowCreate,
        response: { 200: Flow, 201: Flow },
      },
    },
    async (request, reply) => {
      const { flow, isNew } = await ensureFlow(ctx, request.scope, request.body);
      return sendJsonText(reply.code(isNew ? 201 : 200), flow);
    },
  );

  api.get(
    "/flows/:id",
    {
      schema: {
        tags,
        operationId: "readFlow",
        summary: "Read a flow by id",
        params: ById,
        response: { 200: Flow },
      },
    },
    async (request, reply) =>
      sendJsonText(reply, await readFlow(ctx, request.scope, request.params)),
  );

  api.get(
    "/flows/name/:name",
    {
      schema: {
        tags,
        operationId: "readFlowByName",
        summary: "Read a flow by name",
        params: FlowNameKey,
        response: { 200: Flow },
      },
    },
    async (request, reply) =>
      sendJsonText(reply, await readFlow(ctx, request.scope, request.params)),
  );

  api.patch(
    "/flows/:id",
    {
      schema: {
        tags,
        operationId: "updateFlow",
        summary: "Change the tags of a flow",
        params: ById,
        body: FlowUpdate,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      await updateFlow(ctx, request.scope, { id, changes: request.body });
      return reply.code(204).send();
    },
  );

  api.delete(
    "/flows/:id",
    {
      schema: {
        tags,
        operationId: "deleteFlow",
        summary: "Delete a flow with its deployments and runs",
        params: ById,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await deleteFlow(ctx, request.scope, request.params.id);
      return reply.code(204).send();
    },
  );

  api.post(
    "/flows/bulk_delete",
    {
      schema: {
        tags,
        operationId: "deleteFlows",
        summary: "Delete the flows that match, with their deployments and runs",
        body: FlowBulkDelete,
        response: { 200: Deleted },
      },
    },
    async (request) => {
      const { flows, limit = 0 } = request.body;
      return { deleted: await deleteFlows(ctx, request.scope, { filter: flows, limit }) };
    },
  );
  flowListRoutes(api, ctx);
}

function flowListRoutes(api: ApiInstance, ctx: OrchestratorContext): void {
  api.post(
    "/flows/filter",
    {
      schema: {
        tags,
        operationId: "listFlows",
        summary: "List flows",
        body: FlowList,
        response: { 200: Type.Array(Flow) },
      },
    },
    async ({ body, scope }, reply) => {
      const { flows: filter, sort, limit, offset } = body;
      const selection = { filter, related: body, relations: FLOW_RELATIONS };
      const page = { ...selection, sort, limit, offset };
      return sendJsonText(reply, await listJson(ctx.db.in(scope.workspaceId), FLOW_LIST, page));
    },
  );

  api.post(
    "/flows/count",
    {
      schema: {
        tags,
        operationId: "countFlows",
        summary: "Count flows",
        body: FlowCount,
        response: { 200: Type.Integer() },
      },
    },
    async ({ body, scope }) =>
      countRows(ctx.db.in(scope.workspaceId), FLOW_LIST, {
        filter: body.flows,
        related: body,
        relations: FLOW_RELATIONS,
      }),
  );

  api.post(
    "/flows/paginate",
    {
      schema: {
        tags,
        operationId: "pageFlows",
        summary: "Read one page of flows, and how many there are",
        body: FlowPages,
        response: { 200: FlowsPage },
      },
    },
    async ({ body, scope }, reply) => {
      const { flows: filter, sort, limit, page } = body;
      const selection = { filter, related: body, relations: FLOW_RELATIONS };
      const request = { ...selection, ...(sort === undefined ? {} : { sort }), limit, page };
      return sendJsonText(reply, await pageJson(ctx.db.in(scope.workspaceId), FLOW_LIST, request));
    },
  );
}

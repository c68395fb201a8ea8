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
} from "@orchestrator/contract";
import { type ApiInstance, sendJsonText } from "@orchestrator/kernel/http";
import { Type } from "typebox";
import type { OrchestratorContext } from "../context.ts";
import { FLOW_LIST } from "../lists/flows.filter.ts";
import { listRoutes } from "../lists/list-routes.ts";
import { FLOW_RELATIONS } from "../lists/relations.ts";
import { deleteFlow, deleteFlows, ensureFlow, readFlow, updateFlow } from "./flows.service.ts";

const tags = ["Flows"];

export function flowRoutes(api: ApiInstance, ctx: OrchestratorContext): void {
  listRoutes(api, ctx, {
    key: "flows",
    plural: "Flows",
    words: "flows",
    tags,
    record: Flow,
    list: FLOW_LIST,
    relations: FLOW_RELATIONS,
    bodies: { list: FlowList, count: FlowCount, pages: FlowPages },
  });

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
}

import {
  Variable,
  VariableCount,
  VariableCreate,
  VariableId,
  VariableList,
  VariableNameKey,
  VariableUpdate,
} from "@orchestrator/contract";
import { type ApiInstance, sendJsonText } from "@orchestrator/kernel/http";
import { countRows, listBytes } from "@orchestrator/kernel/lists";
import { Type } from "typebox";
import type { OrchestratorContext } from "../../context.ts";
import { VARIABLE_LIST } from "./variables.filter.ts";
import {
  createVariable,
  deleteVariable,
  readVariable,
  updateVariable,
} from "./variables.service.ts";

/** A variable has two addresses; both take the same verbs. */
const ADDRESSES = [
  { path: "/variables/:id", params: VariableId, operation: "Variable", by: "by id" },
  {
    path: "/variables/name/:name",
    params: VariableNameKey,
    operation: "VariableByName",
    by: "by name",
  },
] as const;

export function variableRoutes(api: ApiInstance, ctx: OrchestratorContext): void {
  const tags = ["Variables"];

  api.post(
    "/variables/",
    {
      schema: {
        tags,
        operationId: "createVariable",
        summary: "Create a variable",
        body: VariableCreate,
        response: { 201: Variable },
      },
    },
    async (request, reply) =>
      reply.code(201).send(await createVariable(ctx, request.scope, request.body)),
  );

  api.post(
    "/variables/filter",
    {
      schema: {
        tags,
        operationId: "listVariables",
        summary: "List variables",
        body: VariableList,
        response: { 200: Type.Array(Variable) },
      },
    },
    async (request, reply) => {
      const { variables, sort, limit, offset } = request.body;
      const page = { filter: variables, sort, limit, offset };
      return sendJsonText(
        reply,
        await listBytes(ctx.db.in(request.scope.workspaceId), VARIABLE_LIST, page),
      );
    },
  );

  api.post(
    "/variables/count",
    {
      schema: {
        tags,
        operationId: "countVariables",
        summary: "Count variables",
        body: VariableCount,
        response: { 200: Type.Integer() },
      },
    },
    async (request) =>
      countRows(ctx.db.in(request.scope.workspaceId), VARIABLE_LIST, {
        filter: request.body.variables,
      }),
  );

  for (const { path, params, operation, by } of ADDRESSES) {
    api.get(
      path,
      {
        schema: {
          tags,
          operationId: `read${operation}`,
          summary: `Read a variable ${by}`,
          params,
          response: { 200: Variable },
        },
      },
      async (request, reply) =>
        sendJsonText(reply, await readVariable(ctx, request.scope, request.params)),
    );

    api.patch(
      path,
      {
        schema: {
          tags,
          operationId: `update${operation}`,
          summary: `Change the given fields of a variable ${by}`,
          params,
          body: VariableUpdate,
          response: { 204: Type.Null() },
        },
      },
      async (request, reply) => {
        await updateVariable(ctx, request.scope, { key: request.params, changes: request.body });
        return reply.code(204).send();
      },
    );

    api.delete(
      path,
      {
        schema: {
          tags,
          operationId: `delete${operation}`,
          summary: `Delete a variable ${by}`,
          params,
          response: { 204: Type.Null() },
        },
      },
      async (request, reply) => {
        await deleteVariable(ctx, request.scope, request.params);
        return reply.code(204).send();
      },
    );
  }
}

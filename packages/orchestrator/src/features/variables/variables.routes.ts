import {
  Variable,
  VariableCountBody,
  VariableCreate,
  VariableKeyById,
  VariableKeyByName,
  VariableListBody,
  VariableUpdate,
} from "@orchestrator/contract";
import { type ApiInstance, countRows, listJson, sendJson } from "@orchestrator/kernel";
import { Type } from "typebox";
import type { OrchestratorContext } from "../../context.ts";
import { VARIABLE_LIST } from "./variables.filter.ts";
import { createVariable, deleteVariable, readVariable, updateVariable } from "./variables.service.ts";

const tags = ["Variables"];

export function variableRoutes(api: ApiInstance, ctx: OrchestratorContext): void {
  api.post(
    "/variables/",
    { schema: { tags, operationId: "createVariable", summary: "Create a variable", body: VariableCreate, response: { 201: Variable } } },
    async (request, reply) => reply.code(201).send(await createVariable(ctx, request.scope, request.body)),
  );

  api.post(
    "/variables/filter",
    { schema: { tags, operationId: "listVariables", summary: "List variables", body: VariableListBody, response: { 200: Type.Array(Variable) } } },
    async (request, reply) => {
      const { variables, sort, limit, offset } = request.body;
      const queries = ctx.db.in(request.scope.workspaceId);
      return sendJson(reply, await listJson(queries, VARIABLE_LIST, { filter: variables, sort, limit, offset }));
    },
  );

  api.post(
    "/variables/count",
    { schema: { tags, operationId: "countVariables", summary: "Count variables", body: VariableCountBody, response: { 200: Type.Integer() } } },
    async (request) => countRows(ctx.db.in(request.scope.workspaceId), VARIABLE_LIST, { filter: request.body.variables }),
  );
}

import {
  ById,
  FlowRunInput,
  FlowRunInputCreate,
  FlowRunInputKey,
  FlowRunInputList,
} from "@orchestrator/contract";
import { type ApiInstance, sendJsonText, textAnswer } from "@orchestrator/kernel/http";
import { Type } from "typebox";
import type { OrchestratorContext } from "../../context.ts";
import { largeBody } from "../../http/large-body.ts";
import { createInput, deleteInput, filterInputs, readInput } from "./flow-run-inputs.service.ts";

export function flowRunInputRoutes(api: ApiInstance, ctx: OrchestratorContext): void {
  const tags = ["Flow run inputs"];

  api.post(
    "/flow_runs/:id/input",
    {
      bodyLimit: largeBody(api),
      schema: {
        tags,
        operationId: "createFlowRunInput",
        summary: "Give a flow run an input",
        params: ById,
        body: FlowRunInputCreate,
        response: { 201: Type.Null() },
      },
    },
    async (request, reply) => {
      await createInput(ctx, request.scope, { id: request.params.id, body: request.body });
      return sendJsonText(reply.code(201), "null");
    },
  );

  api.post(
    "/flow_runs/:id/input/filter",
    {
      schema: {
        tags,
        operationId: "listFlowRunInputs",
        summary: "List the inputs of a flow run",
        params: ById,
        body: FlowRunInputList,
        response: { 200: Type.Array(FlowRunInput) },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      return sendJsonText(
        reply,
        await filterInputs(ctx, request.scope, { id, body: request.body }),
      );
    },
  );

  api.get(
    "/flow_runs/:id/input/:key",
    {
      schema: {
        tags,
        operationId: "readFlowRunInput",
        summary: "Read the value of an input as plain text",
        params: FlowRunInputKey,
        response: { 200: textAnswer("text/plain") },
      },
    },
    async (request, reply) => {
      const value = await readInput(ctx, request.scope, request.params);
      return reply.type("text/plain; charset=utf-8").send(value);
    },
  );

  api.delete(
    "/flow_runs/:id/input/:key",
    {
      schema: {
        tags,
        operationId: "deleteFlowRunInput",
        summary: "Delete an input",
        params: FlowRunInputKey,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await deleteInput(ctx, request.scope, request.params);
      return reply.code(204).send();
    },
  );
}

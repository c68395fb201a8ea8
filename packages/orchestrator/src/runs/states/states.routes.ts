import {
  ById,
  ObservedState,
  ObservedStatesQuery,
  State,
  StatesOfFlowRun,
  StatesOfTaskRun,
} from "@orchestrator/contract";
import { type ApiInstance, sendJsonText } from "@orchestrator/kernel/http";
import { Type } from "typebox";
import type { OrchestratorContext } from "../../context.ts";
import { readObservedStates } from "./observed-states.service.ts";
import { readState, readStates } from "./states.service.ts";

export function stateRoutes(api: ApiInstance, ctx: OrchestratorContext): void {
  const tags = ["States"];

  api.get(
    "/flow_run_states/:id",
    {
      schema: {
        tags,
        operationId: "readFlowRunState",
        summary: "Read a state that a flow run has been in",
        params: ById,
        response: { 200: State },
      },
    },
    async ({ params, scope }, reply) =>
      sendJsonText(reply, await readState(ctx, scope, { of: "flow run", id: params.id })),
  );

  api.get(
    "/flow_run_states/",
    {
      schema: {
        tags,
        operationId: "listFlowRunStates",
        summary: "List the states that a flow run has been in, the oldest first",
        querystring: StatesOfFlowRun,
        response: { 200: Type.Array(State) },
      },
    },
    async ({ query, scope }, reply) => {
      const request = { of: "flow run", runId: query.flow_run_id } as const;
      return sendJsonText(reply, await readStates(ctx, scope, request));
    },
  );

  api.get(
    "/task_run_states/:id",
    {
      schema: {
        tags,
        operationId: "readTaskRunState",
        summary: "Read a state that a task run has been in",
        params: ById,
        response: { 200: State },
      },
    },
    async ({ params, scope }, reply) =>
      sendJsonText(reply, await readState(ctx, scope, { of: "task run", id: params.id })),
  );

  api.get(
    "/task_run_states/",
    {
      schema: {
        tags,
        operationId: "listTaskRunStates",
        summary: "List the states that a task run has been in, the oldest first",
        querystring: StatesOfTaskRun,
        response: { 200: Type.Array(State) },
      },
    },
    async ({ query, scope }, reply) => {
      const request = { of: "task run", runId: query.task_run_id } as const;
      return sendJsonText(reply, await readStates(ctx, scope, request));
    },
  );

  api.get(
    "/observed-states",
    {
      schema: {
        tags,
        operationId: "listObservedStates",
        summary: "List the types and names of states that runs have been in",
        querystring: ObservedStatesQuery,
        response: { 200: Type.Array(ObservedState) },
      },
    },
    ({ query, scope }) => readObservedStates(ctx, scope, query),
  );
}

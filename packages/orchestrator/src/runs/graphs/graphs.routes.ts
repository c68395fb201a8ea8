import { ById, FlowRunGraph, GraphQuery, TaskRunDependencies } from "@orchestrator/contract";
import type { ApiInstance } from "@orchestrator/kernel/http";
import { Type } from "typebox";
import type { OrchestratorContext } from "../../context.ts";
import { readDependencies, readGraph } from "./graphs.service.ts";

export function graphRoutes(api: ApiInstance, ctx: OrchestratorContext): void {
  const tags = ["Flow runs"];

  api.get(
    "/flow_runs/:id/graph-v2",
    {
      schema: {
        tags,
        operationId: "readFlowRunGraph",
        summary: "Read what ran inside a flow run, and what waited for what",
        params: ById,
        querystring: GraphQuery,
        response: { 200: FlowRunGraph },
      },
    },
    async ({ params, query, scope }) =>
      readGraph(ctx, scope, { id: params.id, since: query.since }),
  );

  api.get(
    "/flow_runs/:id/graph",
    {
      schema: {
        tags,
        operationId: "readFlowRunDependencies",
        summary: "Read the task runs of a flow run, each with those it depends on",
        params: ById,
        response: { 200: Type.Array(TaskRunDependencies) },
      },
    },
    async ({ params, scope }) => readDependencies(ctx, scope, params.id),
  );
}

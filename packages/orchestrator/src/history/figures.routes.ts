// What the user interface asks for besides the resources themselves.

import {
  ById,
  CountsById,
  EndedTaskRuns,
  FlowIds,
  FlowRunIds,
  FlowRunPoint,
  FlowRunPointList,
  LastRunsById,
  LastRunsQuery,
  NextRunsByFlow,
  TaskRunCount,
  TaskRunDashboard,
  TaskRunInContext,
  TaskRunStateCounts,
  Troubles,
  TroublesQuery,
  WorkPoolGlance,
} from "@orchestrator/contract";
import { type ApiInstance, sendJsonText } from "@orchestrator/kernel/http";
import { listBytes } from "@orchestrator/kernel/lists";
import { Type } from "typebox";
import type { OrchestratorContext } from "../context.ts";
import { FLOW_RUN_RELATIONS, TASK_RUN_RELATIONS } from "../lists/relations.ts";
import { FLOW_RUN_POINTS } from "./figures.filter.ts";
import {
  countDeploymentsOfFlows,
  countTaskRunStates,
  countTaskRunsOfFlowRuns,
  readNextRuns,
  readTaskRunDashboard,
  readTaskRunInContext,
} from "./history.service.ts";
import { findLastRuns } from "./last-runs.store.ts";
import { listPoolSummaries } from "./pool-summaries.store.ts";
import { readTroubles } from "./troubles.service.ts";

const tags = ["User interface"];
const MAX_POOLS = 200;

export function figureRoutes(api: ApiInstance, ctx: OrchestratorContext): void {
  api.post(
    "/ui/flow_runs/history",
    {
      schema: {
        tags,
        operationId: "listFlowRunPoints",
        summary: "List flow runs as points of a chart",
        body: FlowRunPointList,
        response: { 200: Type.Array(FlowRunPoint) },
      },
    },
    async ({ body, scope }, reply) => {
      const { flow_runs: filter, sort, limit, offset } = body;
      const selection = { filter, related: body, relations: FLOW_RUN_RELATIONS };
      const page = { ...selection, sort, limit, offset, now: ctx.clock.now() };
      const queries = ctx.db.in(scope.workspaceId);
      return sendJsonText(reply, await listBytes(queries, FLOW_RUN_POINTS, page));
    },
  );

  api.post(
    "/ui/flow_runs/count-task-runs",
    {
      schema: {
        tags,
        operationId: "countTaskRunsOfFlowRuns",
        summary: "Count the task runs of flow runs",
        body: FlowRunIds,
        response: { 200: CountsById },
      },
    },
    async ({ body, scope }) => countTaskRunsOfFlowRuns(ctx, scope, body.flow_run_ids),
  );

  api.post(
    "/ui/flows/count-deployments",
    {
      schema: {
        tags,
        operationId: "countDeploymentsOfFlows",
        summary: "Count the deployments of flows",
        body: FlowIds,
        response: { 200: CountsById },
      },
    },
    async ({ body, scope }) => countDeploymentsOfFlows(ctx, scope, body.flow_ids),
  );

  api.post(
    "/ui/flows/next-runs",
    {
      schema: {
        tags,
        operationId: "readNextRunsOfFlows",
        summary: "Read the scheduled run of each flow that is due first",
        body: FlowIds,
        response: { 200: NextRunsByFlow },
      },
    },
    async ({ body, scope }) => readNextRuns(ctx, scope, body.flow_ids),
  );

  lastRunRoutes(api, ctx);
  taskRunFigureRoutes(api, ctx);
}

function lastRunRoutes(api: ApiInstance, ctx: OrchestratorContext): void {
  api.post(
    "/ui/flow_runs/last",
    {
      schema: {
        tags,
        operationId: "readLastRuns",
        summary: "Read the last runs of several flows or deployments",
        body: LastRunsQuery,
        response: { 200: LastRunsById },
      },
    },
    async ({ body: { of, ids, limit }, scope }) =>
      findLastRuns(ctx.db.in(scope.workspaceId), of, { ids, limit, now: ctx.clock.now() }),
  );

  api.post(
    "/ui/flow_runs/troubles",
    {
      schema: {
        tags,
        operationId: "readTroubles",
        summary:
          "Read which flow runs failed lately and which are late, with the names of their flows",
        body: TroublesQuery,
        response: { 200: Troubles },
      },
    },
    async ({ body, scope }) => readTroubles(ctx, scope, body),
  );

  api.get(
    "/ui/work_pools",
    {
      schema: {
        tags,
        operationId: "listWorkPoolsAtAGlance",
        summary: "List work pools with their workers and runs in numbers",
        response: { 200: Type.Array(WorkPoolGlance) },
      },
    },
    async ({ scope }) => listPoolSummaries(ctx.db.in(scope.workspaceId), MAX_POOLS),
  );
}

function taskRunFigureRoutes(api: ApiInstance, ctx: OrchestratorContext): void {
  api.post(
    "/ui/task_runs/dashboard/counts",
    {
      schema: {
        tags,
        operationId: "readTaskRunDashboard",
        summary: "Count how the task runs of twenty intervals ended",
        body: TaskRunDashboard,
        response: { 200: Type.Array(EndedTaskRuns) },
      },
    },
    async ({ body, scope }) => {
      const relations = TASK_RUN_RELATIONS;
      return readTaskRunDashboard(ctx, scope, { filter: body.task_runs, related: body, relations });
    },
  );

  api.post(
    "/ui/task_runs/count",
    {
      schema: {
        tags,
        operationId: "countTaskRunStates",
        summary: "Count task runs by the type of their state",
        body: TaskRunCount,
        response: { 200: TaskRunStateCounts },
      },
    },
    async ({ body, scope }) => {
      const relations = TASK_RUN_RELATIONS;
      return countTaskRunStates(ctx, scope, { filter: body.task_runs, related: body, relations });
    },
  );

  api.get(
    "/ui/task_runs/:id",
    {
      schema: {
        tags,
        operationId: "readTaskRunInContext",
        summary: "Read a task run with the name of its flow run",
        params: ById,
        response: { 200: TaskRunInContext },
      },
    },
    async ({ params, scope }, reply) =>
      sendJsonText(reply, await readTaskRunInContext(ctx, scope, params.id)),
  );
}

import {
  FlowRunCount,
  FlowRunHistory,
  HistoryInterval,
  Lateness,
  TaskRunHistory,
} from "@orchestrator/contract";
import { type ApiInstance, sendJsonText } from "@orchestrator/kernel/http";
import { Type } from "typebox";
import type { OrchestratorContext } from "../context.ts";
import { FLOW_RUN_LIST } from "../lists/flow-runs.filter.ts";
import { FLOW_RUN_RELATIONS, TASK_RUN_RELATIONS } from "../lists/relations.ts";
import { TASK_RUN_LIST } from "../lists/task-runs.filter.ts";
import { readHistory, readLateness } from "./history.service.ts";

const ANSWER = { 200: Type.Array(HistoryInterval) };

export function historyRoutes(api: ApiInstance, ctx: OrchestratorContext): void {
  api.post(
    "/flow_runs/history",
    {
      schema: {
        tags: ["Flow runs"],
        operationId: "readFlowRunHistory",
        summary: "Count flow runs by interval and state",
        body: FlowRunHistory,
        response: ANSWER,
      },
    },
    async ({ body, scope }, reply) => {
      const selection = { filter: body.flow_runs, related: body, relations: FLOW_RUN_RELATIONS };
      const runs = { list: FLOW_RUN_LIST, ...selection };
      return sendJsonText(reply, await readHistory(ctx, scope, runs, body));
    },
  );

  api.post(
    "/task_runs/history",
    {
      schema: {
        tags: ["Task runs"],
        operationId: "readTaskRunHistory",
        summary: "Count task runs by interval and state",
        body: TaskRunHistory,
        response: ANSWER,
      },
    },
    async ({ body, scope }, reply) => {
      const selection = { filter: body.task_runs, related: body, relations: TASK_RUN_RELATIONS };
      const runs = { list: TASK_RUN_LIST, ...selection };
      return sendJsonText(reply, await readHistory(ctx, scope, runs, body));
    },
  );

  api.post(
    "/flow_runs/lateness",
    {
      schema: {
        tags: ["Flow runs"],
        operationId: "readFlowRunLateness",
        summary: "Tell how many seconds late flow runs start on average",
        body: FlowRunCount,
        response: { 200: Lateness },
      },
    },
    async ({ body, scope }, reply) => {
      const selection = { filter: body.flow_runs, related: body, relations: FLOW_RUN_RELATIONS };
      const lateness = await readLateness(ctx, scope, { list: FLOW_RUN_LIST, ...selection });
      return reply.send(lateness);
    },
  );
}

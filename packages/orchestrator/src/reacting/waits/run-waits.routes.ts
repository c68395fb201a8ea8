import {
  ById,
  FlowRunSuspend,
  FlowRunWait,
  FlowRunWaitCreate,
  OrchestrationResult,
} from "@orchestrator/contract";
import { type ApiInstance, sendJsonText } from "@orchestrator/kernel/http";
import { Type } from "typebox";
import type { OrchestratorContext } from "../../context.ts";
import { listFlowRunWaits, waitInFlowRun } from "./run-waits.service.ts";
import { suspendUntilWaitsEnd } from "./suspend.service.ts";

export function flowRunWaitRoutes(api: ApiInstance, ctx: OrchestratorContext): void {
  const tags = ["Flow runs"];

  api.post(
    "/flow_runs/:id/waits",
    {
      schema: {
        tags,
        operationId: "waitInFlowRun",
        summary: "Wait for an event or a time in a flow run, or read what has become of that",
        description:
          "The first request under a key begins the wait. Events that were sent before do not end it.",
        params: ById,
        body: FlowRunWaitCreate,
        response: { 200: FlowRunWait },
      },
    },
    async ({ params: { id }, body, scope }, reply) =>
      sendJsonText(reply, await waitInFlowRun(ctx, scope, { id, body })),
  );

  api.get(
    "/flow_runs/:id/waits",
    {
      schema: {
        tags,
        operationId: "listFlowRunWaits",
        summary: "List what a flow run waits for, the oldest first, 200 at most",
        params: ById,
        response: { 200: Type.Array(FlowRunWait) },
      },
    },
    async ({ params: { id }, scope }, reply) =>
      sendJsonText(reply, await listFlowRunWaits(ctx, scope, id)),
  );

  api.post(
    "/flow_runs/:id/suspend",
    {
      schema: {
        tags,
        operationId: "suspendFlowRun",
        summary: "Suspend a flow run until one of its waits has ended",
        description: "Answered with REJECT once one of them has.",
        params: ById,
        body: FlowRunSuspend,
        response: { 200: OrchestrationResult },
      },
    },
    async ({ params: { id }, body, scope }) => suspendUntilWaitsEnd(ctx, scope, { id, body }),
  );
}

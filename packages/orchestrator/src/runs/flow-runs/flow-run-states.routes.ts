import {
  ById,
  Deleted,
  FlowRunBulkDelete,
  FlowRunBulkSetState,
  FlowRunResume,
  FlowRunStateResults,
  OrchestrationResult,
  SetFlowRunState,
} from "@orchestrator/contract";
import type { ApiInstance } from "@orchestrator/kernel/http";
import type { OrchestratorContext } from "../../context.ts";
import { largeBody } from "../../http/large-body.ts";
import { silenceSecondsOf } from "../../telemetry/events/task-run-event.rules.ts";
import { clientVersion } from "../../work/pools/client-version.ts";
import { answerStatus } from "../orchestration/apply-rules.ts";
import { setFlowRunState } from "../orchestration/set-flow-run-state.ts";
import { bulkDeleteFlowRuns, bulkSetFlowRunState } from "./bulk-flow-runs.service.ts";
import { resumeFlowRun } from "./resume.service.ts";

export function flowRunStateRoutes(api: ApiInstance, ctx: OrchestratorContext): void {
  const tags = ["Flow runs"];

  api.post(
    "/flow_runs/:id/set_state",
    {
      bodyLimit: largeBody(api),
      schema: {
        tags,
        operationId: "setFlowRunState",
        summary: "Propose a state for a flow run",
        params: ById,
        body: SetFlowRunState,
        response: { 200: OrchestrationResult, 201: OrchestrationResult },
      },
    },
    async (request, reply) => {
      const began = ctx.clock.now();
      const {
        state,
        force,
        infrastructure_pid,
        heartbeat_interval_seconds: interval,
      } = request.body;
      const result = await setFlowRunState(ctx, request.scope, {
        id: request.params.id,
        state,
        force,
        executor: {
          infrastructurePid: infrastructure_pid ?? null,
          silenceSeconds: interval == null ? null : silenceSecondsOf(interval),
        },
        clientVersion: clientVersion(request.headers["user-agent"]),
      });
      return reply.code(answerStatus(result, began)).send(result);
    },
  );

  api.post(
    "/flow_runs/:id/resume",
    {
      bodyLimit: largeBody(api),
      schema: {
        tags,
        operationId: "resumeFlowRun",
        summary: "Let a paused flow run go on",
        params: ById,
        body: FlowRunResume,
        response: { 200: OrchestrationResult, 201: OrchestrationResult },
      },
    },
    async (request, reply) => {
      const began = ctx.clock.now();
      const result = await resumeFlowRun(ctx, request.scope, {
        id: request.params.id,
        runInput: request.body.run_input ?? null,
        clientVersion: clientVersion(request.headers["user-agent"]),
      });
      return reply.code(answerStatus(result, began)).send(result);
    },
  );

  api.post(
    "/flow_runs/bulk_set_state",
    {
      schema: {
        tags,
        operationId: "setFlowRunStates",
        summary: "Propose a state for every flow run that a filter finds",
        body: FlowRunBulkSetState,
        response: { 200: FlowRunStateResults },
      },
    },
    async (request) => bulkSetFlowRunState(ctx, request.scope, request.body),
  );

  api.post(
    "/flow_runs/bulk_delete",
    {
      schema: {
        tags,
        operationId: "deleteFlowRuns",
        summary: "Delete the flow runs that a filter finds",
        body: FlowRunBulkDelete,
        response: { 200: Deleted },
      },
    },
    async (request) => bulkDeleteFlowRuns(ctx, request.scope, request.body),
  );
}

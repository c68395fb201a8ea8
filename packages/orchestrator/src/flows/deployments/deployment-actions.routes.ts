import {
  ById,
  DeploymentFlowRunCreate,
  DeploymentFlowRunCreates,
  DeploymentPoll,
  DeploymentScheduleRequest,
  FlowRun,
  FlowRunBulkCreated,
  ServedFlowRun,
} from "@orchestrator/contract";
import { type ApiInstance, clientDisconnected, sendJsonText } from "@orchestrator/kernel/http";
import { Type } from "typebox";
import type { OrchestratorContext } from "../../context.ts";
import { runCreator } from "../../runs/flow-runs/run-creator.ts";
import { scheduleRunsNow } from "../../scheduling/scheduler/schedule-now.service.ts";
import { setOnlySchedule } from "../../scheduling/schedules.service.ts";
import { claimServedRuns } from "./claim-served-runs.service.ts";
import { createDeploymentRun, createDeploymentRuns } from "./create-run.service.ts";
import { readDeployment, setPaused } from "./deployments.service.ts";
import { pollDeployments } from "./polled-runs.service.ts";

const tags = ["Deployments"];

/** Each switch has two names: the one of the API document, and the one that clients use. */
const SWITCHES = [
  { path: "pause_deployment", operationId: "pauseDeployment", paused: true },
  { path: "resume_deployment", operationId: "resumeDeployment", paused: false },
  { path: "set_schedule_inactive", operationId: "setScheduleInactive", paused: true },
  { path: "set_schedule_active", operationId: "setScheduleActive", paused: false },
] as const;

export function deploymentActionRoutes(api: ApiInstance, ctx: OrchestratorContext): void {
  for (const { path, operationId, paused } of SWITCHES) {
    api.post(
      `/deployments/:id/${path}`,
      {
        schema: {
          tags,
          operationId,
          summary: paused
            ? "Stop a deployment's schedules and delete their runs that have not begun"
            : "Let a deployment's schedules create runs again",
          params: ById,
          response: { 200: Type.Null() },
        },
      },
      async (request, reply) => {
        await setPaused(ctx, request.scope, { id: request.params.id, paused });
        return sendJsonText(reply, "null");
      },
    );
  }

  api.post(
    "/deployments/:id/schedule",
    {
      schema: {
        tags,
        operationId: "scheduleDeployment",
        summary: "Give a deployment its only schedule, or create runs of its schedules now",
        params: ById,
        body: DeploymentScheduleRequest,
        response: { 200: Type.Null() },
      },
    },
    async ({ params: { id }, body, scope }, reply) => {
      const { schedule } = body;
      if (schedule === undefined) await scheduleRunsNow(ctx, scope, { id, request: body });
      else await setOnlySchedule(ctx, scope, { id, schedule });
      return sendJsonText(reply, "null");
    },
  );

  api.post(
    "/deployments/:id/create_flow_run",
    {
      schema: {
        tags,
        operationId: "createDeploymentFlowRun",
        summary: "Create a run of a deployment",
        params: ById,
        body: DeploymentFlowRunCreate,
        response: { 200: FlowRun, 201: FlowRun },
      },
    },
    async ({ params: { id }, body, headers, scope }, reply) => {
      const createdBy = runCreator(ctx.dialect, headers);
      const { json, isNew } = await createDeploymentRun(ctx, scope, { id, body, createdBy });
      return sendJsonText(reply.code(isNew ? 201 : 200), json);
    },
  );

  api.post(
    "/deployments/:id/create_flow_run/bulk",
    {
      schema: {
        tags,
        operationId: "createDeploymentFlowRuns",
        summary: "Create several runs of a deployment, each for itself",
        params: ById,
        body: DeploymentFlowRunCreates,
        response: { 200: FlowRunBulkCreated },
      },
    },
    async ({ params: { id }, body, headers, scope }) => {
      const createdBy = runCreator(ctx.dialect, headers);
      return createDeploymentRuns(ctx, scope, { id, bodies: body, createdBy });
    },
  );

  api.post(
    "/deployments/get_scheduled_flow_runs",
    {
      config: { mayWait: true },
      schema: {
        tags,
        operationId: "pollDeployments",
        summary: "The runs of some deployments that are due",
        description: "Asking says that somebody serves these deployments: they become READY.",
        body: DeploymentPoll,
        response: { 200: Type.Array(FlowRun) },
      },
    },
    async ({ body, scope }, reply) => {
      const { limit = MOST_POLLED } = body;
      const poll = { ...body, limit, gone: () => clientDisconnected(reply) };
      return sendJsonText(reply, await pollDeployments(ctx, scope, poll));
    },
  );

  api.post(
    "/deployments/claim_flow_runs",
    {
      config: { mayWait: true },
      schema: {
        tags,
        operationId: "claimServedFlowRuns",
        summary: "Claim the runs of some deployments that are due",
        description: "Asking says that somebody serves these deployments: they become READY.",
        body: DeploymentPoll,
        response: { 200: Type.Array(ServedFlowRun) },
      },
    },
    async ({ body: { limit = MOST_POLLED, ...poll }, scope }, reply) => {
      const gone = clientDisconnected(reply);
      return sendJsonText(reply, await claimServedRuns(ctx, scope, { ...poll, limit, gone }));
    },
  );

  api.get(
    "/deployments/:id/work_queue_check",
    {
      schema: {
        tags,
        operationId: "checkDeploymentQueues",
        summary: "Queues that would take runs of a deployment by a filter; there are none any more",
        deprecated: true,
        params: ById,
        response: { 200: Type.Array(Type.Null()) },
      },
    },
    async (request) => {
      await readDeployment(ctx, request.scope, request.params);
      return [];
    },
  );
}

const MOST_POLLED = 200;

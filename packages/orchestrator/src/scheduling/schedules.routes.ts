import {
  ById,
  DeploymentSchedule,
  DeploymentScheduleCreates,
  DeploymentScheduleKey,
  DeploymentScheduleUpdate,
  SchedulePreview,
  SchedulePreviewRequest,
} from "@orchestrator/contract";
import { type ApiInstance, sendJsonText } from "@orchestrator/kernel/http";
import { Type } from "typebox";
import type { OrchestratorContext } from "../context.ts";
import { previewSchedules } from "./scheduler/schedule-now.service.ts";
import {
  addSchedules,
  deleteSchedule,
  listSchedules,
  updateSchedule,
} from "./schedules.service.ts";

const tags = ["Deployments"];
const DEFAULT_PREVIEW = 10;

export function scheduleRoutes(api: ApiInstance, ctx: OrchestratorContext): void {
  api.get(
    "/deployments/:id/schedules",
    {
      schema: {
        tags,
        operationId: "listSchedules",
        summary: "The schedules of a deployment, the last changed first",
        params: ById,
        response: { 200: Type.Array(DeploymentSchedule) },
      },
    },
    async (request, reply) =>
      sendJsonText(reply, await listSchedules(ctx, request.scope, request.params.id)),
  );

  api.post(
    "/deployments/:id/schedules",
    {
      schema: {
        tags,
        operationId: "createSchedules",
        summary: "Add schedules to a deployment",
        params: ById,
        body: DeploymentScheduleCreates,
        response: { 201: Type.Array(DeploymentSchedule) },
      },
    },
    async ({ params: { id }, body, scope }, reply) =>
      sendJsonText(reply.code(201), await addSchedules(ctx, scope, { id, creates: body })),
  );

  api.post(
    "/deployments/:id/schedules/preview",
    {
      schema: {
        tags,
        operationId: "previewSchedules",
        summary:
          "The next times of a deployment's schedules, and how many runs a change would delete",
        description:
          "With `schedules` it shows the deployment as an update with this list would leave it, and refuses what that would: a list that says what is there already deletes no runs. Where all schedules have a slug, a list without any is shown by itself, as schedules that might be added, and deletes none. Nothing is changed.",
        params: ById,
        body: SchedulePreviewRequest,
        response: { 200: SchedulePreview },
      },
    },
    async ({ params: { id }, body, scope }) => {
      const { limit = DEFAULT_PREVIEW } = body;
      return previewSchedules(ctx, scope, { id, request: { ...body, limit } });
    },
  );

  api.patch(
    "/deployments/:id/schedules/:schedule_id",
    {
      schema: {
        tags,
        operationId: "updateSchedule",
        summary: "Change the given fields of a schedule",
        params: DeploymentScheduleKey,
        body: DeploymentScheduleUpdate,
        response: { 204: Type.Null() },
      },
    },
    async ({ params: key, body, scope }, reply) => {
      await updateSchedule(ctx, scope, { key, changes: body });
      return reply.code(204).send();
    },
  );

  api.delete(
    "/deployments/:id/schedules/:schedule_id",
    {
      schema: {
        tags,
        operationId: "deleteSchedule",
        summary: "Delete a schedule and its runs that have not begun",
        params: DeploymentScheduleKey,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await deleteSchedule(ctx, request.scope, request.params);
      return reply.code(204).send();
    },
  );
}

import {
  Backfill,
  BackfillCancel,
  BackfillCreate,
  BackfillList,
  ById,
} from "@orchestrator/contract";
import { type ApiInstance, sendJsonText } from "@orchestrator/kernel/http";
import { listJson } from "@orchestrator/kernel/lists";
import { Type } from "typebox";
import type { OrchestratorContext } from "../../context.ts";
import { BACKFILL_LIST } from "./backfills.filter.ts";
import { cancelBackfill, readBackfill, resumeBackfill } from "./backfills.service.ts";
import { createBackfill } from "./create-backfill.service.ts";

const tags = ["Backfills"];

export function backfillRoutes(api: ApiInstance, ctx: OrchestratorContext): void {
  api.post(
    "/deployments/:id/backfill",
    {
      schema: {
        tags,
        operationId: "createBackfill",
        summary: "Create a run for each time of a deployment's schedules in a range of the past",
        description:
          "The runs are created little by little, so that no more than `max_concurrent` of them wait or run at once. " +
          "Each has its time in the label `scheduled-for`. Times that have had a run before have another one. " +
          "With `skip_existing` those are left out whose run the schedule itself has made; runs of other backfills do not count.",
        params: ById,
        body: BackfillCreate,
        response: { 200: Backfill, 201: Backfill },
      },
    },
    async ({ params: { id }, body, scope }, reply) => {
      const { json, isNew } = await createBackfill(ctx, scope, { id, body });
      return sendJsonText(reply.code(isNew ? 201 : 200), json);
    },
  );

  api.post(
    "/backfills/filter",
    {
      schema: {
        tags,
        operationId: "listBackfills",
        summary: "List backfills",
        body: BackfillList,
        response: { 200: Type.Array(Backfill) },
      },
    },
    async ({ body, scope }, reply) => {
      const { backfills, sort, limit, offset } = body;
      const page = { filter: backfills, sort, limit, offset };
      return sendJsonText(reply, await listJson(ctx.db.in(scope.workspaceId), BACKFILL_LIST, page));
    },
  );

  api.get(
    "/backfills/:id",
    {
      schema: {
        tags,
        operationId: "readBackfill",
        summary: "Read a backfill and how far it has come",
        params: ById,
        response: { 200: Backfill },
      },
    },
    async ({ params: { id }, scope }, reply) =>
      sendJsonText(reply, await readBackfill(ctx.db.in(scope.workspaceId), id)),
  );

  api.post(
    "/backfills/:id/cancel",
    {
      schema: {
        tags,
        operationId: "cancelBackfill",
        summary: "Create no more runs of a backfill, and cancel those there are if that is wanted",
        params: ById,
        body: BackfillCancel,
        response: { 200: Backfill },
      },
    },
    async ({ params: { id }, body, scope }, reply) => {
      const { cancel_runs: cancelRuns = false } = body;
      return sendJsonText(reply, await cancelBackfill(ctx, scope, { id, cancelRuns }));
    },
  );

  api.post(
    "/backfills/:id/resume",
    {
      schema: {
        tags,
        operationId: "resumeBackfill",
        summary: "Let a cancelled backfill go on with the times that have no run yet",
        params: ById,
        response: { 200: Backfill },
      },
    },
    async ({ params: { id }, scope }, reply) =>
      sendJsonText(reply, await resumeBackfill(ctx, scope, id)),
  );
}

import { CheckTrialResult, CronTimes, CronTimesQuery } from "@orchestrator/contract";
import type { ApiInstance } from "@orchestrator/kernel/http";
import { CheckTrial } from "../../models.ts";
import type { EngineContext } from "../engine-context.ts";
import { previewSchedule, tryChecks } from "./trials.service.ts";

export function trialRoutes(api: ApiInstance, ctx: EngineContext): void {
  const tags = ["Checks"];

  api.post(
    "/checks/try",
    {
      schema: {
        tags,
        operationId: "tryChecks",
        summary: "Run checks once, of a monitor that is not saved, and keep nothing of it",
        body: CheckTrial,
        response: { 200: CheckTrialResult },
      },
    },
    async (request, reply) => {
      // Who goes away does not keep a place in the queue of checks.
      const left = new AbortController();
      reply.raw.once("close", () => left.abort());
      return tryChecks(ctx, request.scope, { trial: request.body, signal: left.signal });
    },
  );

  api.get(
    "/schedules/preview",
    {
      schema: {
        tags,
        operationId: "previewSchedule",
        summary: "Tell the next times of a cron schedule",
        querystring: CronTimesQuery,
        response: { 200: CronTimes },
      },
    },
    (request) => previewSchedule(ctx, request.query),
  );
}

import { ExecutorEventBatch } from "@orchestrator/contract";
import type { ApiInstance } from "@orchestrator/kernel/http";
import { Type } from "typebox";
import type { OrchestratorContext } from "../../context.ts";
import { bodyOfAtLeast } from "../../http/large-body.ts";
import { receiveEvents } from "./events.service.ts";

/** Several events of the greatest size, whatever other bodies may hold. */
const EVENTS_BODY_BYTES = 8 * 1024 * 1024;

export function eventRoutes(api: ApiInstance, ctx: OrchestratorContext): void {
  api.post(
    "/events",
    {
      bodyLimit: bodyOfAtLeast(api, EVENTS_BODY_BYTES),
      config: { stripNul: true },
      schema: {
        tags: ["Events"],
        operationId: "createEvents",
        summary: "Send events",
        description:
          "Stores the events. One whose id is known already is left as it is. Executors send results and their claim with the states of task runs.",
        body: ExecutorEventBatch,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await receiveEvents(ctx, request.scope, request.body);
      return reply.code(204).send();
    },
  );
}

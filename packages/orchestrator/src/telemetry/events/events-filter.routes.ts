import {
  EventCount,
  EventCountable,
  EventCountRequest,
  EventFilterRequest,
  EventPage,
  EventPageToken,
} from "@orchestrator/contract";
import { type ApiInstance, sendJsonText } from "@orchestrator/kernel/http";
import type { FastifyReply, FastifyRequest } from "fastify";
import { Type } from "typebox";
import type { OrchestratorContext } from "../../context.ts";
import { countEventsBy } from "./events-count.service.ts";
import { type EventsPageJson, filterEvents, readNextEvents } from "./events-filter.service.ts";

const FILTER_PATH = "/events/filter";

export function eventFilterRoutes(api: ApiInstance, ctx: OrchestratorContext): void {
  const tags = ["Events"];

  api.post(
    FILTER_PATH,
    {
      schema: {
        tags,
        operationId: "listEvents",
        summary: "List events",
        description:
          "The newest come first unless the filter says otherwise. The pages that follow are of the events there were at the time of the first.",
        body: EventFilterRequest,
        response: { 200: EventPage },
      },
    },
    async (request, reply) => {
      const { filter = {}, limit, offset } = request.body;
      const page = await filterEvents(ctx, request.scope, { filter, limit, offset });
      return sendPage(request, reply, page);
    },
  );

  api.get(
    `${FILTER_PATH}/next`,
    {
      schema: {
        tags,
        operationId: "listNextEvents",
        summary: "List the next page of events",
        querystring: EventPageToken,
        response: { 200: EventPage },
      },
    },
    async (request, reply) => {
      const page = await readNextEvents(ctx, request.scope, request.query["page-token"]);
      return sendPage(request, reply, page);
    },
  );

  api.post(
    "/events/count-by/:countable",
    {
      schema: {
        tags,
        operationId: "countEvents",
        summary: "Count events by time, name or resource",
        params: EventCountable,
        body: EventCountRequest,
        response: { 200: Type.Array(EventCount) },
      },
    },
    async (request) => countEventsBy(ctx, request.scope, request.params.countable, request.body),
  );
}

/** Whoever asked finds the next page at the address the first one was asked at. */
function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  { events, total, token }: EventsPageJson,
): FastifyReply {
  const [path = ""] = request.originalUrl.split("?");
  const base = path.slice(0, path.indexOf(FILTER_PATH));
  const next =
    token === null
      ? null
      : `${request.protocol}://${request.host}${base}${FILTER_PATH}/next?page-token=${token}`;
  return sendJsonText(
    reply,
    `{"events":${events},"total":${total},"next_page":${JSON.stringify(next)}}`,
  );
}

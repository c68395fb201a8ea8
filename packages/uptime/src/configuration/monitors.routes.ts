import { MonitorId, MonitorList } from "@orchestrator/contract";
import { type ApiInstance, sendJsonText } from "@orchestrator/kernel/http";
import { listBytes, listJson } from "@orchestrator/kernel/lists";
import { Type } from "typebox";
import { requestedPath } from "../addresses.ts";
import type { UptimeContext } from "../context.ts";
import { Monitor, MonitorCreate, MonitorUpdate } from "../models.ts";
import { MONITOR_LIST } from "../monitors/monitors.filter.ts";
import { withoutTokens } from "../monitors/shown-tokens.rules.ts";
import { createMonitor, deleteMonitor, readMonitor, updateMonitor } from "./monitors.service.ts";

/** More than there can be. */
const ALL = 2 ** 31 - 1;

/** Both take any subset of the fields. */
const UPDATES = [
  { method: "put", operationId: "updateMonitor" },
  { method: "patch", operationId: "changeMonitor" },
] as const;

export function monitorRoutes(api: ApiInstance, ctx: UptimeContext): void {
  const tags = ["Monitors"];

  api.get(
    "/monitors",
    {
      schema: {
        tags,
        operationId: "listMonitors",
        summary: "List monitors, the oldest first",
        querystring: MonitorList,
        response: { 200: Type.Array(Monitor) },
      },
    },
    async (request, reply) => {
      const { limit = ALL, offset } = request.query;
      const page = { filter: filterOf(request.query), limit, offset };
      const { scope } = request;
      const queries = ctx.db.in(scope.workspaceId);
      if (scope.caller.isKeptFromChanges !== true)
        return sendJsonText(reply, await listBytes(queries, MONITOR_LIST, page));
      const json = await listJson<Monitor>(queries, MONITOR_LIST, page);
      return sendJsonText(reply, withoutTokens(scope, json));
    },
  );

  api.post(
    "/monitors",
    {
      schema: {
        tags,
        operationId: "createMonitor",
        summary: "Create a monitor",
        body: MonitorCreate,
        response: { 201: Monitor },
      },
    },
    async (request, reply) => {
      const { id, json } = await createMonitor(ctx, request.scope, request.body);
      reply.code(201).header("location", `${requestedPath(request)}/${id}`);
      return sendJsonText(reply, json);
    },
  );

  api.get(
    "/monitors/:id",
    {
      schema: {
        tags,
        operationId: "readMonitor",
        summary: "Read a monitor",
        params: MonitorId,
        response: { 200: Monitor },
      },
    },
    async (request, reply) =>
      sendJsonText(
        reply,
        withoutTokens(request.scope, await readMonitor(ctx, request.scope, request.params.id)),
      ),
  );

  for (const { method, operationId } of UPDATES) {
    api[method](
      "/monitors/:id",
      {
        schema: {
          tags,
          operationId,
          summary: "Change the given fields of a monitor",
          params: MonitorId,
          body: MonitorUpdate,
          response: { 200: Monitor },
        },
      },
      async (request, reply) => {
        const { id } = request.params;
        const update = { id, changes: request.body };
        return sendJsonText(reply, await updateMonitor(ctx, request.scope, update));
      },
    );
  }

  api.delete(
    "/monitors/:id",
    {
      schema: {
        tags,
        operationId: "deleteMonitor",
        summary: "Delete a monitor with its history",
        params: MonitorId,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await deleteMonitor(ctx, request.scope, request.params.id);
      return reply.code(204).send();
    },
  );
}

interface MonitorQuery {
  readonly tag?: readonly string[];
  readonly status?: readonly string[];
  readonly enabled?: boolean;
  readonly q?: string;
}

function filterOf({ tag, status, enabled, q }: MonitorQuery) {
  return {
    ...(tag === undefined ? {} : { tags: { all_: tag } }),
    ...(status === undefined ? {} : { status: { any_: status } }),
    ...(enabled === undefined ? {} : { enabled: { eq_: enabled } }),
    ...(q === undefined ? {} : { text: { like_: q } }),
  };
}

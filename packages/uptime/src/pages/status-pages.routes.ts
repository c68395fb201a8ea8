import {
  StatusPage,
  StatusPageCreate,
  StatusPageId,
  StatusPageList,
  StatusPageUpdate,
} from "@orchestrator/contract";
import { type ApiInstance, sendJsonText } from "@orchestrator/kernel/http";
import { listJson } from "@orchestrator/kernel/lists";
import { Type } from "typebox";
import { requestedPath } from "../addresses.ts";
import type { UptimeContext } from "../context.ts";
import { STATUS_PAGE_LIST } from "./status-pages.filter.ts";
import {
  createStatusPage,
  deleteStatusPage,
  readStatusPage,
  updateStatusPage,
} from "./status-pages.service.ts";

/** Both take any subset of the fields. */
const UPDATES = [
  { method: "put", operationId: "updateStatusPage" },
  { method: "patch", operationId: "changeStatusPage" },
] as const;

export function statusPageRoutes(api: ApiInstance, ctx: UptimeContext): void {
  const tags = ["Status pages"];

  api.get(
    "/status-pages",
    {
      schema: {
        tags,
        operationId: "listStatusPages",
        summary: "List status pages by their slugs",
        querystring: StatusPageList,
        response: { 200: Type.Array(StatusPage) },
      },
    },
    async (request, reply) => {
      const queries = ctx.db.in(request.scope.workspaceId);
      return sendJsonText(reply, await listJson(queries, STATUS_PAGE_LIST, request.query));
    },
  );

  api.post(
    "/status-pages",
    {
      schema: {
        tags,
        operationId: "createStatusPage",
        summary: "Create a status page",
        body: StatusPageCreate,
        response: { 201: StatusPage },
      },
    },
    async (request, reply) => {
      const { id, json } = await createStatusPage(ctx, request.scope, request.body);
      reply.code(201).header("location", `${requestedPath(request)}/${id}`);
      return sendJsonText(reply, json);
    },
  );

  api.get(
    "/status-pages/:id",
    {
      schema: {
        tags,
        operationId: "readStatusPage",
        summary: "Read a status page",
        params: StatusPageId,
        response: { 200: StatusPage },
      },
    },
    async (request, reply) =>
      sendJsonText(reply, await readStatusPage(ctx, request.scope, request.params.id)),
  );

  for (const { method, operationId } of UPDATES) {
    api[method](
      "/status-pages/:id",
      {
        schema: {
          tags,
          operationId,
          summary: "Change the given fields of a status page",
          params: StatusPageId,
          body: StatusPageUpdate,
          response: { 200: StatusPage },
        },
      },
      async (request, reply) => {
        const update = { id: request.params.id, changes: request.body };
        return sendJsonText(reply, await updateStatusPage(ctx, request.scope, update));
      },
    );
  }

  api.delete(
    "/status-pages/:id",
    {
      schema: {
        tags,
        operationId: "deleteStatusPage",
        summary: "Delete a status page with its reports",
        params: StatusPageId,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await deleteStatusPage(ctx, request.scope, request.params.id);
      return reply.code(204).send();
    },
  );
}

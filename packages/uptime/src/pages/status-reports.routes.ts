import {
  ReportUpdateChange,
  ReportUpdateCreate,
  ReportUpdateId,
  StatusPageId,
  StatusReport,
  StatusReportChange,
  StatusReportCreate,
  StatusReportId,
  StatusReportList,
} from "@orchestrator/contract";
import { type ApiInstance, sendJsonText } from "@orchestrator/kernel/http";
import { Type } from "typebox";
import { requestedPath } from "../addresses.ts";
import type { UptimeContext } from "../context.ts";
import {
  changeReport,
  createReport,
  deleteReport,
  listReports,
  mendUpdate,
  postUpdate,
  readStatusReport,
} from "./status-reports.service.ts";

/** What people tell the readers of a page. */
export function statusReportRoutes(api: ApiInstance, ctx: UptimeContext): void {
  const tags = ["Status pages"];

  api.get(
    "/status-pages/:id/reports",
    {
      schema: {
        tags,
        operationId: "listStatusReports",
        summary: "List the reports on a status page, the latest first",
        params: StatusPageId,
        querystring: StatusReportList,
        response: { 200: Type.Array(StatusReport) },
      },
    },
    async (request, reply) => {
      const asked = { ...request.query, pageId: request.params.id };
      return sendJsonText(reply, await listReports(ctx, request.scope, asked));
    },
  );

  api.post(
    "/status-pages/:id/reports",
    {
      schema: {
        tags,
        operationId: "createStatusReport",
        summary: "Tell the readers of a status page something, with a first update",
        params: StatusPageId,
        body: StatusReportCreate,
        response: { 201: StatusReport },
      },
    },
    async (request, reply) => {
      const pageId = request.params.id;
      const { id, json } = await createReport(ctx, request.scope, { pageId, body: request.body });
      reply.code(201).header("location", `${requestedPath(request)}/${id}`);
      return sendJsonText(reply, json);
    },
  );

  api.get(
    "/status-pages/:id/reports/:report",
    {
      schema: {
        tags,
        operationId: "readStatusReport",
        summary: "Read a report",
        params: StatusReportId,
        response: { 200: StatusReport },
      },
    },
    async (request, reply) =>
      sendJsonText(reply, await readStatusReport(ctx, request.scope, keyOf(request.params))),
  );

  api.patch(
    "/status-pages/:id/reports/:report",
    {
      schema: {
        tags,
        operationId: "changeStatusReport",
        summary: "Change the title, the impact or the incident of a report",
        params: StatusReportId,
        body: StatusReportChange,
        response: { 200: StatusReport },
      },
    },
    async (request, reply) => {
      const change = { key: keyOf(request.params), changes: request.body };
      return sendJsonText(reply, await changeReport(ctx, request.scope, change));
    },
  );

  api.delete(
    "/status-pages/:id/reports/:report",
    {
      schema: {
        tags,
        operationId: "deleteStatusReport",
        summary: "Delete a report",
        params: StatusReportId,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await deleteReport(ctx, request.scope, keyOf(request.params));
      return reply.code(204).send();
    },
  );

  api.post(
    "/status-pages/:id/reports/:report/updates",
    {
      schema: {
        tags,
        operationId: "postReportUpdate",
        summary: "Tell what is new, and the state it is in",
        params: StatusReportId,
        body: ReportUpdateCreate,
        response: { 201: StatusReport },
      },
    },
    async (request, reply) => {
      const update = { key: keyOf(request.params), body: request.body };
      return sendJsonText(reply.code(201), await postUpdate(ctx, request.scope, update));
    },
  );

  api.patch(
    "/status-pages/:id/reports/:report/updates/:update",
    {
      schema: {
        tags,
        operationId: "changeReportUpdate",
        summary: "Mend the text of an update",
        params: ReportUpdateId,
        body: ReportUpdateChange,
        response: { 200: StatusReport },
      },
    },
    async (request, reply) => {
      const { update: updateId, ...key } = request.params;
      const mended = { key: keyOf(key), updateId, text: request.body.text };
      return sendJsonText(reply, await mendUpdate(ctx, request.scope, mended));
    },
  );
}

const keyOf = ({ id, report }: { readonly id: string; readonly report: string }) => ({
  page_id: id,
  id: report,
});

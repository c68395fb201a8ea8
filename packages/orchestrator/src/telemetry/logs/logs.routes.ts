import { Readable } from "node:stream";
import { ById, Log, LogBatch, LogList, NewestLogs } from "@orchestrator/contract";
import { type ApiInstance, sendJsonText, textAnswer } from "@orchestrator/kernel/http";
import { findPageRanges, listBytes } from "@orchestrator/kernel/lists";
import type { Scope } from "@orchestrator/kernel/scope";
import { Type } from "typebox";
import type { OrchestratorContext } from "../../context.ts";
import { bodyOfAtLeast } from "../../http/large-body.ts";
import { assertPageFits } from "../../lists/page-size.ts";
import { attachment } from "./log-csv.rules.ts";
import { downloadFlowRunLogs } from "./log-download.service.ts";
import { LOG_LIST, LOG_SIZES } from "./logs.filter.ts";
import { writeLogs } from "./logs.service.ts";

/** Clients send up to 4 MB of lines at once, whatever other bodies may hold. */
const LOG_BODY_BYTES = 8 * 1024 * 1024;

export function logRoutes(api: ApiInstance, ctx: OrchestratorContext): void {
  const tags = ["Logs"];

  api.post(
    "/logs/",
    {
      bodyLimit: bodyOfAtLeast(api, LOG_BODY_BYTES),
      config: { stripNul: true, isBulkWrite: true },
      schema: {
        tags,
        operationId: "writeLogs",
        summary: "Write log lines",
        body: LogBatch,
        response: { 201: Type.Null() },
      },
    },
    async (request, reply) => {
      await writeLogs(ctx, request.scope, request.body);
      return sendJsonText(reply.code(201), "null");
    },
  );

  api.post(
    "/logs/filter",
    {
      schema: {
        tags,
        operationId: "listLogs",
        summary: "List log lines",
        body: LogList,
        response: { 200: Type.Array(Log) },
      },
    },
    async ({ body: { logs, ...page }, scope }, reply) =>
      sendJsonText(reply, await readPage(ctx, scope, { filter: logs, ...page })),
  );

  api.post(
    "/ui/logs/newest",
    {
      schema: {
        tags,
        operationId: "readNewestLogs",
        summary: "Read the last log lines, the newest first, as many as a page of a log shows",
        body: NewestLogs,
        response: { 200: Type.Array(Log) },
      },
    },
    async ({ body: { logs, limit }, scope }, reply) => {
      const page = { filter: logs, sort: "TIMESTAMP_DESC" as const, limit, offset: 0 };
      return sendJsonText(reply, await readPage(ctx, scope, page));
    },
  );

  api.get(
    "/flow_runs/:id/logs/download",
    {
      schema: {
        tags,
        operationId: "downloadFlowRunLogs",
        summary: "Download the log of a flow run as CSV",
        params: ById,
        response: { 200: textAnswer("text/csv") },
      },
    },
    async (request, reply) => {
      const { fileName, pages } = await downloadFlowRunLogs(ctx, request.scope, request.params.id);
      return reply
        .header("content-type", "text/csv; charset=utf-8")
        .header("content-disposition", attachment(fileName))
        .send(Readable.from(pages));
    },
  );
}

type LogPage = Parameters<typeof listBytes>[2];

async function readPage(ctx: OrchestratorContext, { workspaceId }: Scope, asked: LogPage) {
  const queries = ctx.db.in(workspaceId);
  const page = { ...asked, stretches: findPageRanges(queries, LOG_LIST, asked) };
  await assertPageFits(queries, LOG_SIZES, page);
  return listBytes<Log>(queries, LOG_LIST, page);
}

import { Readable } from "node:stream";
import { SlaQuery, SlaReport } from "@orchestrator/contract";
import { type ApiInstance, textAnswer } from "@orchestrator/kernel/http";
import { csvLine } from "@orchestrator/kernel/lists";
import type { MaintenanceContext } from "../../maintenance/maintenance-context.ts";
import { readSlaReport, type SlaReading } from "./reports.service.ts";
import { SLA_HEADINGS, slaCells } from "./sla.rules.ts";

const DESCRIPTION =
  "For each monitor: how long it was up, degraded and down, its incidents, its latencies, and what is left of the time that it may be down. Time in which nothing is known counts for nothing.";

export function reportRoutes(api: ApiInstance, ctx: MaintenanceContext): void {
  const tags = ["Statistics"];

  api.get(
    "/reports/sla",
    {
      schema: {
        tags,
        operationId: "readSlaReport",
        summary: "Compare the uptime of monitors with what was promised",
        description: DESCRIPTION,
        querystring: SlaQuery,
        response: { 200: SlaReport },
      },
    },
    async (request, reply) => {
      const reading = readSlaReport(ctx, request.scope, request.query);
      reply.header("content-type", "application/json; charset=utf-8");
      return reply.send(Readable.from(jsonOf(reading)));
    },
  );

  api.get(
    "/reports/sla.csv",
    {
      schema: {
        tags,
        operationId: "readSlaTable",
        summary: "The same as a table",
        description: `${DESCRIPTION} CSV with headings; times are UTC.`,
        querystring: SlaQuery,
        response: { 200: textAnswer("text/csv") },
      },
    },
    async (request, reply) => {
      const reading = readSlaReport(ctx, request.scope, request.query);
      const name = `sla-${reading.from.slice(0, 10)}-${reading.until.slice(0, 10)}.csv`;
      reply.header("content-type", "text/csv; charset=utf-8; header=present");
      reply.header("content-disposition", `attachment; filename="${name}"`);
      return reply.send(Readable.from(csvOf(reading)));
    },
  );
}

async function* jsonOf({ from, until, target, records }: SlaReading): AsyncGenerator<string> {
  const head = JSON.stringify({ from, until, target_percent: target });
  yield `${head.slice(0, -1)},"monitors":[`;
  let separator = "";
  for await (const record of records) {
    yield separator + JSON.stringify(record);
    separator = ",";
  }
  yield "]}";
}

async function* csvOf({ from, until, records }: SlaReading): AsyncGenerator<string> {
  yield csvLine(SLA_HEADINGS);
  for await (const record of records) yield csvLine(slaCells(record, { from, until }));
}

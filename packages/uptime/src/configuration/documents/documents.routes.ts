import { ExportQuery, ImportOutcome, ImportQuery } from "@orchestrator/contract";
import { type ApiInstance, textAnswer } from "@orchestrator/kernel/http";
import type { MaintenanceContext } from "../../maintenance/maintenance-context.ts";
import { UptimeDocument } from "../../models.ts";
import { exportDocument, importDocument } from "./documents.service.ts";
import { yamlText } from "./yaml-text.rules.ts";

/** Enough for as many monitors as one document may have. */
const LARGEST_DOCUMENT_BYTES = 16 * 1024 * 1024;

export function documentRoutes(api: ApiInstance, ctx: MaintenanceContext): void {
  const tags = ["Import and export"];

  api.get(
    "/export",
    {
      schema: {
        tags,
        operationId: "exportDocument",
        summary: "Read everything that is watched as one document",
        description:
          "JSON, or YAML with `format=yaml`. Secrets are left out; where one is kept, `${stored}` stands.",
        querystring: ExportQuery,
        response: { 200: textAnswer("application/yaml", { json: UptimeDocument }) },
      },
    },
    async (request, reply) => {
      const { format, tag } = request.query;
      const document = await exportDocument(ctx, request.scope, tag);
      reply.header("content-disposition", `attachment; filename="uptime.${format}"`);
      if (format === "json") return document;
      reply.header("content-type", "application/yaml; charset=utf-8");
      return yamlText(document as never);
    },
  );

  api.post(
    "/import",
    {
      bodyLimit: LARGEST_DOCUMENT_BYTES,
      schema: {
        tags,
        operationId: "importDocument",
        summary: "Make everything that is watched what a document says",
        description:
          "Monitors are found by their names: those that are there are changed where they differ, the others are created. All of the document takes effect or nothing of it.",
        querystring: ImportQuery,
        body: UptimeDocument,
        response: { 200: ImportOutcome },
      },
    },
    async (request) =>
      importDocument(ctx, request.scope, { ...request.query, document: request.body }),
  );
}

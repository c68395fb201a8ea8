import { Readable } from "node:stream";
import { AccountId, AuditFilter, AuditPage, AuditSelection } from "@orchestrator/contract";
import { type ApiInstance, textAnswer } from "@orchestrator/kernel/http";
import type { AccountsContext } from "../context.ts";
import { exportAudit, readAuditPage } from "./audit.service.ts";

export function auditRoutes(api: ApiInstance, ctx: AccountsContext): void {
  const tags = ["Audit log"];

  api.post(
    "/accounts/:account_id/audit/filter",
    {
      schema: {
        tags,
        operationId: "listAuditEntries",
        summary: "Who did what, newest first",
        description: "A page, and where the next one begins. Everything that is given must fit.",
        params: AccountId,
        body: AuditFilter,
        response: { 200: AuditPage },
      },
    },
    ({ access, body }) => readAuditPage(ctx, access, body),
  );

  api.get(
    "/accounts/:account_id/audit/export",
    {
      schema: {
        tags,
        operationId: "exportAudit",
        summary: "Who did what, newest first, as CSV",
        params: AccountId,
        querystring: AuditSelection,
        response: { 200: textAnswer("text/csv") },
      },
    },
    async ({ access, query }, reply) =>
      reply
        .header("content-type", "text/csv; charset=utf-8; header=present")
        .header("content-disposition", 'attachment; filename="audit.csv"')
        .send(Readable.from(exportAudit(ctx, access, query))),
  );
}

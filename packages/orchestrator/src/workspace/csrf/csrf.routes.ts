import { CsrfToken } from "@orchestrator/contract";
import type { ApiInstance } from "@orchestrator/kernel/http";
import { Type } from "typebox";
import type { OrchestratorContext } from "../../context.ts";
import { checkCsrfToken, issueCsrfToken } from "./csrf.service.ts";

const CHANGING = new Set(["POST", "PUT", "PATCH", "DELETE"]);

export function csrfRoutes(api: ApiInstance, ctx: OrchestratorContext): void {
  api.get(
    "/csrf-token",
    {
      schema: {
        tags: ["Server"],
        operationId: "issueCsrfToken",
        summary: "Get a token that changing requests must carry while protection is on",
        querystring: Type.Object({ client: Type.String({ minLength: 1, maxLength: 255 }) }),
        response: { 200: CsrfToken },
      },
    },
    (request) => issueCsrfToken(ctx, request.scope, request.query.client),
  );

  if (!ctx.settings.csrfProtectionEnabled) return;
  const { csrfTokenHeader, csrfClientHeader } = ctx.dialect;
  api.addHook("preValidation", async (request) => {
    if (!CHANGING.has(request.method)) return;
    if (request.routeOptions.config.hasOwnCredential === true) return;
    const token = request.headers[csrfTokenHeader];
    const client = request.headers[csrfClientHeader];
    await checkCsrfToken(ctx, request.scope, {
      token: typeof token === "string" ? token : undefined,
      client: typeof client === "string" ? client : undefined,
    });
  });
}

import { SchemaValidationRequest, SchemaValidationResult } from "@orchestrator/contract";
import type { ApiInstance } from "@orchestrator/kernel/http";
import type { OrchestratorContext } from "../../context.ts";
import { validateValues } from "./schema-validation.service.ts";

export function schemaValidationRoutes(api: ApiInstance, ctx: OrchestratorContext): void {
  api.post(
    "/ui/schemas/validate",
    {
      schema: {
        tags: ["Schemas"],
        operationId: "validateValues",
        summary: "Check values, which may hold placeholders, against a JSON schema",
        body: SchemaValidationRequest,
        response: { 200: SchemaValidationResult },
      },
    },
    async (request) => validateValues(ctx, request.scope, request.body),
  );
}

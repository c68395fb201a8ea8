import { InvalidTemplate, TemplateText } from "@orchestrator/contract";
import type { ApiInstance } from "@orchestrator/kernel/http";
import { Type } from "typebox";
import type { OrchestratorContext } from "../../context.ts";
import { checkTemplate } from "../../templates/compute-templates.ts";

/** Forms for automations ask at an address of their own. */
const ADDRESSES = [
  { path: "/templates/validate", operation: "validateTemplate" },
  { path: "/automations/templates/validate", operation: "validateAutomationTemplate" },
] as const;

export function templateRoutes(api: ApiInstance, ctx: Pick<OrchestratorContext, "compute">): void {
  // Editors send a template as it was typed. Only here is a body that is no JSON a text.
  api.register((texts, _options, done) => {
    texts.addContentTypeParser("text/plain", { parseAs: "string" }, (_request, text, parsed) =>
      parsed(null, text),
    );
    validateRoutes(texts, ctx);
    done();
  });
}

function validateRoutes(api: ApiInstance, ctx: Pick<OrchestratorContext, "compute">): void {
  for (const { path, operation } of ADDRESSES) {
    api.post(
      path,
      {
        schema: {
          tags: ["Automations"],
          operationId: operation,
          summary: "Tell whether a template can be rendered",
          consumes: ["text/plain"],
          body: TemplateText,
          response: { 204: Type.Null(), 422: InvalidTemplate },
        },
      },
      async (request, reply) => {
        const error = await checkTemplate(ctx.compute.for(request.scope), request.body ?? "");
        return error === null ? reply.code(204).send() : reply.code(422).send({ error });
      },
    );
  }
}

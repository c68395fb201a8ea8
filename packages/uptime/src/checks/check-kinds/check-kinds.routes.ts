import { CheckKind } from "@orchestrator/contract";
import { type ApiInstance, sendJsonText } from "@orchestrator/kernel/http";
import type { JsonText } from "@orchestrator/kernel/storage";
import { Type } from "typebox";
import { CHECKS } from "../registry.ts";

export function checkKindRoutes(api: ApiInstance): void {
  const kinds = CHECKS.map(({ type, title, about, icon, schema, defaults, prefill, fields }) => ({
    type,
    title,
    about,
    icon,
    schema,
    defaults,
    prefill: { type, ...prefill },
    fields,
  }));
  // They are the same for as long as the server runs.
  const text = JSON.stringify(kinds) as JsonText<CheckKind[]>;

  api.get(
    "/checks",
    {
      schema: {
        tags: ["Checks"],
        operationId: "listCheckKinds",
        summary:
          "List the types of checks, with their options, defaults, and how a form asks for them",
        response: { 200: Type.Array(CheckKind) },
      },
    },
    (_request, reply) => sendJsonText(reply, text),
  );
}

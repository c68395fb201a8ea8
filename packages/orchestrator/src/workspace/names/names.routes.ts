import { NamedThing, NameSearch, NamesQuery } from "@orchestrator/contract";
import { type ApiInstance, sendJsonText } from "@orchestrator/kernel/http";
import { Type } from "typebox";
import type { OrchestratorContext } from "../../context.ts";
import { findNames, readNames } from "./names.service.ts";

const tags = ["User interface"];

export function nameRoutes(api: ApiInstance, ctx: OrchestratorContext): void {
  api.post(
    "/ui/names",
    {
      schema: {
        tags,
        operationId: "readNames",
        summary: "Read what things of several kinds are called, by their ids",
        body: NamesQuery,
        response: { 200: Type.Array(NamedThing) },
      },
    },
    async ({ body, scope }) => readNames(ctx, scope, body ?? {}),
  );

  api.post(
    "/ui/names/filter",
    {
      schema: {
        tags,
        operationId: "findNames",
        summary: "Find things of one kind by letters of their names",
        body: NameSearch,
        response: { 200: Type.Array(NamedThing) },
      },
    },
    async ({ body, scope }, reply) => sendJsonText(reply, await findNames(ctx, scope, body)),
  );
}

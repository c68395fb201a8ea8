import { ById, SavedSearch, SavedSearchCreate, SavedSearchList } from "@orchestrator/contract";
import { type ApiInstance, sendJsonText } from "@orchestrator/kernel/http";
import { listJson } from "@orchestrator/kernel/lists";
import { Type } from "typebox";
import type { OrchestratorContext } from "../../context.ts";
import { SAVED_SEARCH_LIST } from "./saved-searches.filter.ts";
import { deleteSavedSearch, readSavedSearch, saveSearch } from "./saved-searches.service.ts";

export function savedSearchRoutes(api: ApiInstance, ctx: OrchestratorContext): void {
  const tags = ["Saved searches"];

  api.put(
    "/saved_searches/",
    {
      schema: {
        tags,
        operationId: "saveSearch",
        summary: "Create a saved search, or replace the one of the same name",
        body: SavedSearchCreate,
        response: { 200: SavedSearch, 201: SavedSearch },
      },
    },
    async (request, reply) => {
      const { search, isNew } = await saveSearch(ctx, request.scope, request.body);
      return reply.code(isNew ? 201 : 200).send(search);
    },
  );

  api.post(
    "/saved_searches/filter",
    {
      schema: {
        tags,
        operationId: "listSavedSearches",
        summary: "List saved searches by name",
        body: SavedSearchList,
        response: { 200: Type.Array(SavedSearch) },
      },
    },
    async (request, reply) => {
      const { limit, offset } = request.body;
      const queries = ctx.db.in(request.scope.workspaceId);
      return sendJsonText(reply, await listJson(queries, SAVED_SEARCH_LIST, { limit, offset }));
    },
  );

  api.get(
    "/saved_searches/:id",
    {
      schema: {
        tags,
        operationId: "readSavedSearch",
        summary: "Read a saved search",
        params: ById,
        response: { 200: SavedSearch },
      },
    },
    async (request, reply) =>
      sendJsonText(reply, await readSavedSearch(ctx, request.scope, request.params.id)),
  );

  api.delete(
    "/saved_searches/:id",
    {
      schema: {
        tags,
        operationId: "deleteSavedSearch",
        summary: "Delete a saved search",
        params: ById,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await deleteSavedSearch(ctx, request.scope, request.params.id);
      return reply.code(204).send();
    },
  );
}

import type { SavedSearch, SavedSearchCreate } from "@orchestrator/contract";
import { writeJson } from "@orchestrator/exact-json";
import { AppError } from "@orchestrator/kernel/pure";
import type { Scope } from "@orchestrator/kernel/scope";
import type { JsonText } from "@orchestrator/kernel/storage";
import type { OrchestratorContext } from "../../context.ts";
import {
  findSavedSearch,
  removeSavedSearchRow,
  upsertSavedSearch,
} from "./saved-searches.store.ts";

/** Creates a search, or replaces the one of the same name. */
export async function saveSearch(
  ctx: OrchestratorContext,
  scope: Scope,
  { name, filters = [] }: SavedSearchCreate,
): Promise<{ readonly search: SavedSearch; readonly isNew: boolean }> {
  const now = ctx.clock.now();
  const search = { id: ctx.ids.uuid7(), created: now, updated: now, name, filters };
  const row = { ...search, filters: writeJson(filters) };
  const stored = await ctx.db.write(scope.workspaceId, (tx) => upsertSavedSearch(tx, row));
  return {
    search: { ...search, id: stored.id, created: stored.created },
    isNew: stored.id === search.id,
  };
}

export async function readSavedSearch(
  ctx: OrchestratorContext,
  scope: Scope,
  id: string,
): Promise<JsonText<SavedSearch>> {
  const search = await findSavedSearch(ctx.db.in(scope.workspaceId), id);
  if (search === null) throw notFound(id);
  return search;
}

export async function deleteSavedSearch(
  ctx: OrchestratorContext,
  scope: Scope,
  id: string,
): Promise<void> {
  await ctx.db.write(scope.workspaceId, async (tx) => {
    if (!(await removeSavedSearchRow(tx, id))) throw notFound(id);
  });
}

function notFound(id: string): AppError {
  return new AppError("not_found", `Saved search ${id} not found`);
}

import type { NamedKind, NamedThing, NameSearch, NamesQuery, Static } from "@orchestrator/contract";
import { listBytes, listJson } from "@orchestrator/kernel/lists";
import type { Scope } from "@orchestrator/kernel/scope";
import type { JsonBytes } from "@orchestrator/kernel/storage";
import type { OrchestratorContext } from "../../context.ts";
import { NAME_LISTS, selectByIds, selectByText } from "./names.filter.ts";

/** Things that are not there are left out. */
export async function readNames(
  ctx: OrchestratorContext,
  scope: Scope,
  asked: Static<typeof NamesQuery>,
): Promise<NamedThing[]> {
  const queries = ctx.db.in(scope.workspaceId);
  const kinds = Object.keys(NAME_LISTS) as NamedKind[];
  const found = await Promise.all(
    kinds.map(async (kind) => {
      const ids = asked[kind] ?? [];
      if (ids.length === 0) return [];
      const page = { ...selectByIds(kind, ids), limit: ids.length, offset: 0 };
      return JSON.parse(
        await listJson<NamedThing>(queries, NAME_LISTS[kind], page),
      ) as NamedThing[];
    }),
  );
  return found.flat();
}

export async function findNames(
  ctx: OrchestratorContext,
  scope: Scope,
  search: Static<typeof NameSearch>,
): Promise<JsonBytes<NamedThing[]>> {
  const page = { ...selectByText(search), limit: search.limit, offset: 0 };
  return listBytes(ctx.db.in(scope.workspaceId), NAME_LISTS[search.kind], page);
}

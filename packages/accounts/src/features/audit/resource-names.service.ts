import type { AuditEntry } from "@orchestrator/contract";
import type { KeptEntry } from "../../audit/audited.rules.ts";
import type { AccountsContext } from "../../context.ts";
import { isId, type NamePlace, placeInWorkspace } from "./resource-names.rules.ts";
import { listNames, listNamesInAccount } from "./resource-names.store.ts";

interface Wanted {
  readonly workspaceId: string;
  readonly place: NamePlace;
  readonly ids: Set<string>;
}

/** With what everything is called now. What is gone, or has no name, keeps its id alone. */
export async function withNames(
  ctx: AccountsContext,
  accountId: string,
  entries: readonly KeptEntry[],
): Promise<AuditEntry[]> {
  const inAccount = new Set<string>();
  const inWorkspaces = new Map<string, Wanted>();
  for (const { resource_id, workspace_id, route } of entries) {
    if (!isId(resource_id)) continue;
    const place = placeInWorkspace(route);
    if (place === undefined) inAccount.add(resource_id);
    else if (workspace_id !== null) wantedIn(inWorkspaces, workspace_id, place).add(resource_id);
  }
  const found = await Promise.all([
    inAccount.size === 0 ? [] : listNamesInAccount(ctx.db, accountId, inAccount),
    ...Array.from(inWorkspaces.values(), ({ workspaceId, place, ids }) =>
      listNames(ctx.db.in(workspaceId), place, ids),
    ),
  ]);
  const names = new Map(found.flat().map(({ id, name }) => [id, name]));
  return entries.map((entry) => ({
    ...entry,
    resource_name: names.get(entry.resource_id ?? "") ?? null,
  }));
}

function wantedIn(all: Map<string, Wanted>, workspaceId: string, place: NamePlace): Set<string> {
  const key = `${workspaceId} ${place.table}`;
  const wanted = all.get(key) ?? { workspaceId, place, ids: new Set<string>() };
  all.set(key, wanted);
  return wanted.ids;
}

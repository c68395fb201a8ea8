import type { AuditEntry } from "@orchestrator/contract";
import type { StoredAuditEntry } from "../audit/audited.rules.ts";
import type { AccountsContext } from "../context.ts";
import { isUuidText, type NamePlace, placeInWorkspace } from "./resource-names.rules.ts";
import { listNames, listNamesInAccount, type NamedResource } from "./resource-names.store.ts";

interface Wanted {
  readonly workspaceId: string;
  readonly place: NamePlace;
  readonly ids: Set<string>;
}

/** With what everything is called now. What is gone, or has no name, keeps its id alone. */
export async function withNames(
  ctx: AccountsContext,
  accountId: string,
  entries: readonly StoredAuditEntry[],
): Promise<AuditEntry[]> {
  const inAccount = new Set<string>();
  const inWorkspaces = new Map<string, Wanted>();
  for (const { resource_id, workspace_id, route } of entries) {
    if (!isUuidText(resource_id)) continue;
    const place = placeInWorkspace(route);
    if (place === undefined) inAccount.add(resource_id);
    else if (workspace_id !== null) wantedIn(inWorkspaces, workspace_id, place).add(resource_id);
  }
  const names = new Map<string, string | null>();
  const note = (workspaceId: string, found: readonly NamedResource[]): void => {
    for (const { id, name } of found) names.set(keyOf(workspaceId, id), name);
  };
  if (inAccount.size > 0) note("", await listNamesInAccount(ctx.db, accountId, inAccount));
  // One after the other: a page of entries may be about many workspaces, and must not hold up other
  // requests.
  for (const { workspaceId, place, ids } of inWorkspaces.values())
    note(workspaceId, await listNames(ctx.db.in(workspaceId), place, ids));
  return entries.map((entry) => ({ ...entry, resource_name: nameOf(names, entry) }));
}

const keyOf = (workspaceId: string, id: string): string => `${workspaceId} ${id}`;

function nameOf(
  names: ReadonlyMap<string, string | null>,
  { resource_id: id, workspace_id, route }: StoredAuditEntry,
): string | null {
  if (id === null) return null;
  const isOfWorkspace = placeInWorkspace(route) !== undefined;
  return names.get(keyOf(isOfWorkspace ? (workspace_id ?? "") : "", id)) ?? null;
}

function wantedIn(all: Map<string, Wanted>, workspaceId: string, place: NamePlace): Set<string> {
  const key = `${workspaceId} ${place.table}`;
  const wanted = all.get(key) ?? { workspaceId, place, ids: new Set<string>() };
  all.set(key, wanted);
  return wanted.ids;
}

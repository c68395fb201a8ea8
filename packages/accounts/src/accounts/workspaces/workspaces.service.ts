import type { Workspace, WorkspaceCreate, WorkspaceUpdate } from "@orchestrator/contract";
import { AppError, isAppError } from "@orchestrator/kernel/pure";
import { accessChanged } from "../../access/access.store.ts";
import type { KeyAccess } from "../../access/key-cache.ts";
import type { AccountsContext } from "../../context.ts";
import { insertWorkspace, listWorkspaces, updateWorkspaceRow } from "./workspaces.store.ts";

/** Those that the key is good for. */
export async function listReachable(
  ctx: AccountsContext,
  { accountId, workspaceIds }: KeyAccess,
): Promise<Workspace[]> {
  const all = await listWorkspaces(ctx.db, accountId);
  return all.filter(({ id }) => workspaceIds.includes(id));
}

export async function readWorkspace(
  ctx: AccountsContext,
  access: KeyAccess,
  id: string,
): Promise<Workspace> {
  const found = (await listReachable(ctx, access)).find((workspace) => workspace.id === id);
  if (found === undefined) throw new AppError("not_found", `Workspace ${id} not found`);
  return found;
}

export async function createWorkspace(
  ctx: AccountsContext,
  { accountId }: KeyAccess,
  { name, handle, description = "" }: WorkspaceCreate,
): Promise<Workspace> {
  const now = ctx.clock.now();
  const row: Workspace = {
    id: ctx.ids.uuid7(),
    account_id: accountId,
    created: now,
    updated: now,
    name,
    handle,
    description,
  };
  await ctx.db
    .writeSystem(async (tx) => {
      await insertWorkspace(tx, row);
      await accessChanged(tx);
    })
    .catch(handleTaken(handle));
  await ctx.prepareWorkspace(row.id);
  return row;
}

/** Changes the given fields only. */
export async function updateWorkspace(
  ctx: AccountsContext,
  access: KeyAccess,
  { id, changes }: { readonly id: string; readonly changes: WorkspaceUpdate },
): Promise<void> {
  const before = await readWorkspace(ctx, access, id);
  const after = { ...before, ...changes, updated: ctx.clock.now() };
  await ctx.db.writeSystem((tx) => updateWorkspaceRow(tx, after)).catch(handleTaken(after.handle));
}

export function handleTaken(handle: string): (error: unknown) => never {
  return (error) => {
    throw isAppError(error, "conflict")
      ? new AppError("conflict", `The handle ${handle} is taken`)
      : error;
  };
}

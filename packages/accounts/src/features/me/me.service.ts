import type { Me, MyAccount, MyWorkspace } from "@orchestrator/contract";
import type { KeyAccess } from "../../access/key-cache.ts";
import type { AccountsContext } from "../../context.ts";
import { readAccount } from "../accounts/accounts.service.ts";
import { listReachable } from "../workspaces/workspaces.service.ts";

export function describeMe({ actor, accountId, role, keyId }: KeyAccess): Me {
  return { ...actor, account_id: accountId, role, api_key_id: keyId };
}

/** A key is good for one account. */
export async function listMyAccounts(
  ctx: AccountsContext,
  access: KeyAccess,
): Promise<MyAccount[]> {
  const { id, name, handle } = await readAccount(ctx, access);
  return [{ account_id: id, account_name: name, account_handle: handle, role: access.role }];
}

/** What the established command line asks for to log in and to choose a workspace. */
export async function listMyWorkspaces(
  ctx: AccountsContext,
  access: KeyAccess,
): Promise<MyWorkspace[]> {
  const account = await readAccount(ctx, access);
  const workspaces = await listReachable(ctx, access);
  return workspaces.map(({ id, name, handle, description }) => ({
    account_id: account.id,
    account_name: account.name,
    account_handle: account.handle,
    workspace_id: id,
    workspace_name: name,
    workspace_description: description,
    workspace_handle: handle,
  }));
}

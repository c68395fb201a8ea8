import type { Me, MyAccount, MyWorkspace } from "@orchestrator/contract";
import type { KeyAccess } from "../../access/key-cache.ts";
import { readAccount } from "../../accounts/accounts.service.ts";
import { listReachable } from "../../accounts/workspaces/workspaces.service.ts";
import type { AccountsContext } from "../../context.ts";
import { hasIdentity } from "../../users/identities.store.ts";
import { findUser } from "../../users/users.store.ts";

export async function describeMe(ctx: AccountsContext, access: KeyAccess): Promise<Me> {
  const { actor, accountId, role, keyId, sessionId } = access;
  const user = actor.kind === "user" ? await findUser(ctx.db.system, actor.id) : null;
  return {
    ...actor,
    name: user?.name ?? actor.name,
    email: user?.email ?? null,
    has_password: typeof user?.password_hash === "string",
    has_identity: user !== null && (await hasIdentity(ctx.db.system, user.id)),
    account_id: accountId,
    role,
    api_key_id: keyId,
    session_id: sessionId,
  };
}

/** A key is good for one account, a session for all that its user is a member of. */
export function listMyAccounts(
  ctx: AccountsContext,
  accesses: readonly KeyAccess[],
): Promise<MyAccount[]> {
  return Promise.all(
    accesses.map(async (access) => {
      const { id, name, handle } = await readAccount(ctx, access);
      return { account_id: id, account_name: name, account_handle: handle, role: access.role };
    }),
  );
}

/** What the established command line asks for to log in and to choose a workspace. */
export async function listMyWorkspaces(
  ctx: AccountsContext,
  accesses: readonly KeyAccess[],
): Promise<MyWorkspace[]> {
  const lists = await Promise.all(accesses.map((access) => workspacesOf(ctx, access)));
  return lists.flat();
}

async function workspacesOf(ctx: AccountsContext, access: KeyAccess): Promise<MyWorkspace[]> {
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

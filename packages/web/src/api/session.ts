// Who has signed in, and the account and workspace they are in. Only in mode `accounts` is there
// such a thing.

import type { MyAccess, MyAccount, MyWorkspace } from "@orchestrator/contract";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { accountsClient } from "./accounts.ts";
import { authMode } from "./auth-mode.ts";
import { runSignOut } from "./sign-in.ts";
import { forgetWorkspace, workspace } from "./workspace.ts";

export type BrowserSession = MyAccess;

const FRESH_MS = 60_000;

export const sessionQuery = queryOptions({
  queryKey: ["session"],
  enabled: authMode === "accounts",
  staleTime: FRESH_MS,
  queryFn: ({ signal }) => accountsClient.me.readAccess({ signal }),
});

/** The ways in that this server offers. */
export const authMethodsQuery = queryOptions({
  queryKey: ["auth-methods"],
  enabled: authMode === "accounts",
  staleTime: FRESH_MS,
  queryFn: ({ signal }) => accountsClient.signIn.methods({ signal }),
});

/** Undefined until it is known. */
export const useBrowserSession = (): BrowserSession | undefined => useQuery(sessionQuery).data;

/** The account that the workspace in the address is of; without one, the oldest. */
export function accountIn(session: BrowserSession): MyAccount | undefined {
  const id = workspace?.account_id ?? session.me.account_id;
  return session.accounts.find(({ account_id }) => account_id === id);
}

export function workspaceIn({ workspaces }: BrowserSession): MyWorkspace | undefined {
  return workspaces.find(
    ({ account_id, workspace_id }) =>
      account_id === workspace?.account_id && workspace_id === workspace.workspace_id,
  );
}

/** Ends the session on the server; the next one who signs in here may be somebody else. */
export function signOut(): Promise<void> {
  return runSignOut(async () => {
    await accountsClient.signIn.logOut();
    forgetWorkspace();
  });
}

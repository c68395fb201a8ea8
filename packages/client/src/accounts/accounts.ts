import type {
  Account,
  AccountCreate,
  AccountUpdate,
  CreatedAccount,
  Workspace,
  WorkspaceCreate,
  WorkspaceQuotas,
  WorkspaceQuotasUpdate,
  WorkspaceUpdate,
} from "@orchestrator/contract";
import { delWith, get, patch, post, put } from "../transport/operation.ts";

/** The handle of what is to be deleted, so that nothing is deleted by mistake. */
export interface Meant {
  readonly handle: string;
}

export const accounts = {
  create: post<(account: AccountCreate) => CreatedAccount>("/accounts/"),
  read: get<(accountId: string) => Account>("/accounts/{account_id}"),
  update: patch<(accountId: string, changes: AccountUpdate) => void>("/accounts/{account_id}"),
  delete: delWith<(accountId: string, meant: Meant) => void>("/accounts/{account_id}"),
};

export const workspaces = {
  create: post<(accountId: string, workspace: WorkspaceCreate) => Workspace>(
    "/accounts/{account_id}/workspaces",
  ),
  list: get<(accountId: string) => Workspace[]>("/accounts/{account_id}/workspaces"),
  read: get<(accountId: string, workspaceId: string) => Workspace>(
    "/accounts/{account_id}/workspaces/{workspace_id}",
  ),
  update: patch<(accountId: string, workspaceId: string, changes: WorkspaceUpdate) => void>(
    "/accounts/{account_id}/workspaces/{workspace_id}",
  ),
  delete: delWith<(accountId: string, workspaceId: string, meant: Meant) => void>(
    "/accounts/{account_id}/workspaces/{workspace_id}",
  ),
  readQuotas: get<(accountId: string, workspaceId: string) => WorkspaceQuotas>(
    "/accounts/{account_id}/workspaces/{workspace_id}/quotas",
  ),
  replaceQuotas: put<
    (accountId: string, workspaceId: string, quotas: WorkspaceQuotasUpdate) => void
  >("/accounts/{account_id}/workspaces/{workspace_id}/quotas"),
};

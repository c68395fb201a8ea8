import type { Account, Role, Workspace } from "@orchestrator/contract";
import { type Statements, statementsFor } from "@orchestrator/kernel";

export type AccountRow = Readonly<Account>;
export type WorkspaceRow = Readonly<Workspace>;

export interface UserRow {
  readonly id: string;
  readonly created: string;
  readonly updated: string;
  readonly name: string;
}

export interface MemberRow {
  readonly account_id: string;
  readonly user_id: string;
  readonly created: string;
  readonly role: Role;
}

export interface ServiceAccountRow {
  readonly id: string;
  readonly account_id: string;
  readonly created: string;
  readonly updated: string;
  readonly name: string;
  readonly role: Role;
}

/** A key is kept as its hash; `workspace_ids` is JSON text. */
export interface ApiKeyRow {
  readonly id: string;
  readonly account_id: string;
  readonly created: string;
  readonly name: string;
  readonly prefix: string;
  readonly hash: string;
  readonly user_id: string | null;
  readonly service_account_id: string | null;
  readonly role: Role;
  readonly workspace_ids: string | null;
  readonly expires: string | null;
  readonly last_used: string | null;
}

/** One row, counted up by every change of who may do what. */
interface AccessRevisionRow {
  readonly id: number;
  readonly revision: number;
}

interface Tables {
  access_revision: AccessRevisionRow;
  account_members: MemberRow;
  accounts: AccountRow;
  api_keys: ApiKeyRow;
  service_accounts: ServiceAccountRow;
  users: UserRow;
  workspaces: WorkspaceRow;
}

const statements: Statements<Tables> = statementsFor<Tables>();

/** These tables stand above workspaces, so each statement names the account instead. */
export const statement: Statements<Tables>["systemStatement"] = statements.systemStatement;

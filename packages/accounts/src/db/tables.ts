import type { Account, Role, Workspace } from "@orchestrator/contract";
import { type Statements, statementsFor } from "@orchestrator/kernel/storage";

export type AccountRow = Readonly<Account>;
export type WorkspaceRow = Readonly<Workspace>;

export interface UserRow {
  readonly id: string;
  readonly created: string;
  readonly updated: string;
  readonly name: string;
  /** In lower case. */
  readonly email: string | null;
  readonly password_hash: string | null;
}

/** Who somebody is to an OpenID provider. */
export interface IdentityRow {
  readonly issuer: string;
  readonly subject: string;
  readonly user_id: string;
  readonly created: string;
}

/**
 * A browser that was let in, as a user or with a key. It is kept by the hash of what its cookie
 * holds.
 */
export interface SessionRow {
  readonly id: string;
  readonly user_id: string | null;
  /** The key it was begun with: it opens no more than that. */
  readonly api_key_id: string | null;
  readonly token_hash: string;
  readonly created: string;
  readonly last_used: string;
  /** It ends here in any case. */
  readonly ends: string;
  readonly address: string;
  readonly user_agent: string;
}

export interface InvitationRow {
  readonly id: string;
  readonly account_id: string;
  readonly created: string;
  readonly expires: string;
  readonly email: string;
  readonly role: Role;
  readonly token_hash: string;
}

/** Somebody was sent to the OpenID provider and has not come back yet. */
export interface OidcAttemptRow {
  readonly state_hash: string;
  /** Of a cookie: nobody can be made to finish what another began. */
  readonly browser_hash: string;
  readonly expires: string;
  readonly nonce: string;
  readonly code_verifier: string;
  readonly redirect_uri: string;
  readonly return_to: string;
  /** The session of whoever wants to be known by the provider from now on. */
  readonly session_id: string | null;
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
  readonly requests_per_minute: number | null;
}

/** Who did what: only ever added to. `resource` is JSON text. */
export interface AuditRow {
  readonly id: string;
  readonly occurred: string;
  readonly account_id: string;
  readonly workspace_id: string | null;
  readonly actor_kind: "user" | "service" | "login" | "unknown";
  readonly actor_id: string | null;
  readonly actor_name: string;
  readonly api_key_id: string | null;
  readonly api_key_prefix: string | null;
  readonly operation: string;
  readonly method: string;
  readonly route: string;
  readonly permission: string;
  readonly resource_id: string | null;
  readonly resource: string;
  readonly result: "done" | "refused" | "failed";
  readonly status: number | null;
  readonly address: string;
  readonly user_agent: string;
  readonly request_id: string;
}

/**
 * One row: entries older than this may be deleted. Empty but for the transactions of the retention.
 */
interface AuditRetentionRow {
  readonly id: number;
  readonly before: string;
}

/** A workspace that is no longer there, and whose rows are being deleted. */
export interface RemovalRow {
  readonly workspace_id: string;
  readonly account_id: string;
  readonly handle: string;
  readonly requested: string;
}

/** How much a workspace may have; null for any amount. */
export interface QuotaRow {
  readonly workspace_id: string;
  readonly updated: string;
  readonly runs_per_day: number | null;
  readonly events_per_day: number | null;
  readonly runs_stored: number | null;
  readonly storage_bytes: number | null;
}

/** What was made on a day, as one replica has counted it: no two of them write the same row. */
export interface CountRow {
  readonly workspace_id: string;
  readonly day: string;
  readonly counter: string;
  readonly runs: number;
  readonly events: number;
}

/** How much there was when it was last measured. */
export interface SizeRow {
  readonly workspace_id: string;
  readonly measured: string;
  readonly runs: number;
  readonly bytes: number;
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
  audit_log: AuditRow;
  audit_retention: AuditRetentionRow;
  invitations: InvitationRow;
  oidc_attempts: OidcAttemptRow;
  service_accounts: ServiceAccountRow;
  sessions: SessionRow;
  user_identities: IdentityRow;
  users: UserRow;
  workspace_counts: CountRow;
  workspace_quotas: QuotaRow;
  workspace_removals: RemovalRow;
  workspace_sizes: SizeRow;
  workspaces: WorkspaceRow;
}

const statements: Statements<Tables> = statementsFor<Tables>();

/** These tables stand above workspaces, so each statement names the account instead. */
export const statement: Statements<Tables>["systemStatement"] = statements.systemStatement;

/** For what is written into these tables beside the rows of a workspace. */
export const workspaceStatement: Statements<Tables>["statement"] = statements.statement;

import type { Queries, Transaction } from "@orchestrator/kernel/storage";
import type { LoginSessionRow, UptimeAccountRow } from "../db/tables/accounts.table.ts";
import { statement, systemStatement } from "../db/tables.ts";

const account = statement()((db, p) =>
  db
    .selectFrom("uptime_accounts")
    .select(["id", "created_at", "updated_at", "username", "password_hash"])
    .where("workspace_id", "=", p.workspace_id),
);

/** A workspace has one account. */
export async function findUptimeAccount(queries: Queries): Promise<UptimeAccountRow | null> {
  return (await queries.get(account, {})) ?? null;
}

const insertAccountRow = statement<UptimeAccountRow>()((db, p) =>
  db
    .insertInto("uptime_accounts")
    .values({
      workspace_id: p.workspace_id,
      id: p.id,
      created_at: p.created_at,
      updated_at: p.updated_at,
      username: p.username,
      password_hash: p.password_hash,
    })
    .onConflict((conflict) => conflict.column("workspace_id").doNothing()),
);

/** Tells whether there was none yet. */
export async function insertUptimeAccount(
  tx: Transaction,
  row: UptimeAccountRow,
): Promise<boolean> {
  return (await tx.run(insertAccountRow, row)) === 1;
}

const updateAccountRow = statement<Omit<UptimeAccountRow, "created_at">>()((db, p) =>
  db
    .updateTable("uptime_accounts")
    .set({ updated_at: p.updated_at, username: p.username, password_hash: p.password_hash })
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id),
);

export async function updateUptimeAccount(tx: Transaction, row: UptimeAccountRow): Promise<void> {
  await tx.run(updateAccountRow, row);
}

const insertSessionRow = statement<LoginSessionRow>()((db, p) =>
  db.insertInto("uptime_sessions").values({
    workspace_id: p.workspace_id,
    id: p.id,
    account_id: p.account_id,
    token_hash: p.token_hash,
    created_at: p.created_at,
    expires_at: p.expires_at,
    ends_at: p.ends_at,
  }),
);

export async function insertLoginSession(tx: Transaction, row: LoginSessionRow): Promise<void> {
  await tx.run(insertSessionRow, row);
}

const sessionByHash = statement<{ token_hash: string }>()((db, p) =>
  db
    .selectFrom("uptime_sessions as session")
    .innerJoin("uptime_accounts as account", "account.id", "session.account_id")
    .select([
      "session.id",
      "session.account_id",
      "session.expires_at",
      "session.ends_at",
      "account.username",
    ])
    .where("session.workspace_id", "=", p.workspace_id)
    .where("session.token_hash", "=", p.token_hash),
);

export interface FoundLoginSession
  extends Pick<LoginSessionRow, "id" | "account_id" | "expires_at" | "ends_at"> {
  readonly username: string;
}

export async function findSession(
  queries: Queries,
  token_hash: string,
): Promise<FoundLoginSession | null> {
  return (await queries.get(sessionByHash, { token_hash })) ?? null;
}

const extend = statement<{ id: string; expires_at: string }>()((db, p) =>
  db
    .updateTable("uptime_sessions")
    .set({ expires_at: p.expires_at })
    .where("workspace_id", "=", p.workspace_id)
    .where("id", "=", p.id),
);

export async function extendSession(
  tx: Transaction,
  session: { readonly id: string; readonly expires_at: string },
): Promise<void> {
  await tx.run(extend, session);
}

const removeByHash = statement<{ token_hash: string }>()((db, p) =>
  db
    .deleteFrom("uptime_sessions")
    .where("workspace_id", "=", p.workspace_id)
    .where("token_hash", "=", p.token_hash),
);

export async function deleteLoginSession(tx: Transaction, token_hash: string): Promise<void> {
  await tx.run(removeByHash, { token_hash });
}

const removeOfAccount = statement<{ account_id: string }>()((db, p) =>
  db
    .deleteFrom("uptime_sessions")
    .where("workspace_id", "=", p.workspace_id)
    .where("account_id", "=", p.account_id),
);

export async function deleteLoginSessionsOf(tx: Transaction, account_id: string): Promise<void> {
  await tx.run(removeOfAccount, { account_id });
}

/** Those of all workspaces that nobody has used for too long. */
export const deleteExpiredLoginSessions = systemStatement<{ now: string }>()((db, p) =>
  db.deleteFrom("uptime_sessions").where("expires_at", "<=", p.now),
);

import type { Role } from "@orchestrator/contract";
import type { Database, SystemTransaction } from "@orchestrator/kernel/storage";
import { statement } from "../db/tables.ts";

type Reads = Pick<Database, "system">;

const byHash = statement<{ token_hash: string }>()((db, p) =>
  db
    .selectFrom("sessions as session")
    .leftJoin("users as user", "user.id", "session.user_id")
    .leftJoin("api_keys as key", "key.id", "session.api_key_id")
    .select([
      "session.id",
      "session.user_id",
      "session.last_used",
      "session.ends",
      "user.name as user_name",
      "key.hash as key_hash",
    ])
    .where("session.token_hash", "=", p.token_hash),
);

export interface FoundBrowserSession {
  readonly id: string;
  readonly user_id: string | null;
  readonly last_used: string;
  readonly ends: string;
  readonly user_name: string | null;
  /** Of the key it was begun with. */
  readonly key_hash: string | null;
}

export async function findSessionByHash(
  { system }: Reads,
  token_hash: string,
): Promise<FoundBrowserSession | null> {
  return (await system.get(byHash, { token_hash })) ?? null;
}

const membershipsOf = statement<{ user_id: string }>()((db, p) =>
  db
    .selectFrom("account_members as member")
    .innerJoin("accounts as account", "account.id", "member.account_id")
    .leftJoin("workspaces as workspace", "workspace.account_id", "account.id")
    .select(["account.id as account_id", "member.role", "workspace.id as workspace_id"])
    .where("member.user_id", "=", p.user_id)
    .orderBy("account.created")
    .orderBy("account.id")
    .orderBy("workspace.created")
    .orderBy("workspace.id"),
);

export interface FoundMembership {
  readonly account_id: string;
  readonly role: Role;
  readonly workspace_id: string | null;
}

/** One row for each workspace, and one for an account that has none; oldest first. */
export function listMemberships({ system }: Reads, user_id: string): Promise<FoundMembership[]> {
  return system.all(membershipsOf, { user_id });
}

const noteUse = statement<{ id: string; at: string }>()((db, p) =>
  db
    .updateTable("sessions")
    .set({ last_used: p.at })
    .where("id", "=", p.id)
    .where("last_used", "<", p.at),
);

export async function recordSessionUse(
  tx: SystemTransaction,
  use: { readonly id: string; readonly at: string },
): Promise<void> {
  await tx.run(noteUse, use);
}

import type { Role } from "@orchestrator/contract";
import type { Database, SystemTransaction } from "@orchestrator/kernel/storage";
import { statement } from "../db/tables.ts";

/** Who may do what has changed, on any replica. */
export const ACCESS_TOPIC = "accounts.access";

const revision = statement()((db) => db.selectFrom("access_revision").select("revision"));

export async function readAccessRevision({ system }: Pick<Database, "system">): Promise<number> {
  return Number((await system.get(revision, {}))?.revision ?? 0);
}

const countUp = statement()((db) =>
  db.updateTable("access_revision").set((e) => ({ revision: e("revision", "+", 1) })),
);

/**
 * Part of every change of keys, roles and workspaces: what was remembered of them is no longer
 * good.
 */
export async function accessChanged(tx: SystemTransaction): Promise<void> {
  await tx.run(countUp, {});
  tx.notify(ACCESS_TOPIC);
}

const keyByHash = statement<{ hash: string }>()((db, p) =>
  db
    .selectFrom("api_keys as key")
    .leftJoin("account_members as member", (join) =>
      join
        .onRef("member.account_id", "=", "key.account_id")
        .onRef("member.user_id", "=", "key.user_id"),
    )
    .leftJoin("users as user", "user.id", "key.user_id")
    .leftJoin("service_accounts as service", "service.id", "key.service_account_id")
    .select([
      "key.id",
      "key.account_id",
      "key.role",
      "key.workspace_ids",
      "key.expires",
      "key.requests_per_minute",
      "key.user_id",
      "key.service_account_id",
      "member.role as member_role",
      "user.name as user_name",
      "service.role as service_role",
      "service.name as service_name",
    ])
    .where("key.hash", "=", p.hash),
);

export interface FoundKey {
  readonly id: string;
  readonly account_id: string;
  readonly role: Role;
  readonly workspace_ids: string | null;
  readonly expires: string | null;
  readonly requests_per_minute: number | null;
  readonly user_id: string | null;
  readonly service_account_id: string | null;
  readonly member_role: Role | null;
  readonly user_name: string | null;
  readonly service_role: Role | null;
  readonly service_name: string | null;
}

export async function findKeyByHash(
  { system }: Pick<Database, "system">,
  hash: string,
): Promise<FoundKey | null> {
  return (await system.get(keyByHash, { hash })) ?? null;
}

const workspaceIds = statement<{ account_id: string }>()((db, p) =>
  db
    .selectFrom("workspaces")
    .select("id")
    .where("account_id", "=", p.account_id)
    .orderBy("created")
    .orderBy("id"),
);

/** Oldest first. */
export async function listWorkspaceIds(
  { system }: Pick<Database, "system">,
  account_id: string,
): Promise<string[]> {
  return (await system.all(workspaceIds, { account_id })).map(({ id }) => id);
}

const noteUse = statement<{ id: string; at: string }>()((db, p) =>
  db
    .updateTable("api_keys")
    .set({ last_used: p.at })
    .where("id", "=", p.id)
    .where((e) => e.or([e("last_used", "is", null), e("last_used", "<", p.at)])),
);

export async function recordKeyUse(
  tx: SystemTransaction,
  use: { readonly id: string; readonly at: string },
): Promise<void> {
  await tx.run(noteUse, use);
}

const accountOfWorkspace = statement<{ id: string }>()((db, p) =>
  db.selectFrom("workspaces").select("account_id").where("id", "=", p.id),
);

export async function findAccountOf(
  { system }: Pick<Database, "system">,
  workspaceId: string,
): Promise<string | null> {
  return (await system.get(accountOfWorkspace, { id: workspaceId }))?.account_id ?? null;
}

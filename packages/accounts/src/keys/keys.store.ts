import type { ApiKey, Role } from "@orchestrator/contract";
import type { Database, SystemTransaction } from "@orchestrator/kernel/storage";
import { type ApiKeyRow, statement } from "../db/tables.ts";

type Reads = Pick<Database, "system">;

const ofAccount = statement<{ account_id: string }>()((db, p) =>
  db
    .selectFrom("api_keys")
    .select([
      "id",
      "account_id",
      "created",
      "name",
      "prefix",
      "user_id",
      "service_account_id",
      "role",
      "workspace_ids",
      "expires",
      "last_used",
      "requests_per_minute",
    ])
    .where("account_id", "=", p.account_id)
    .orderBy("id"),
);

export async function listKeys({ system }: Reads, account_id: string): Promise<ApiKey[]> {
  return (await system.all(ofAccount, { account_id })).map(shownKey);
}

/** All but the hash. */
export function shownKey({ workspace_ids: ids, ...row }: Omit<ApiKeyRow, "hash">): ApiKey {
  return { ...row, workspace_ids: ids === null ? null : (JSON.parse(ids) as string[]) };
}

const countOf = statement<{ account_id: string }>()((db, p) =>
  db
    .selectFrom("api_keys")
    .select((e) => e.fn.countAll<number>().as("count"))
    .where("account_id", "=", p.account_id),
);

export async function countKeys(tx: SystemTransaction, account_id: string): Promise<number> {
  return Number((await tx.get(countOf, { account_id }))?.count ?? 0);
}

const insert = statement<ApiKeyRow>()((db, p) =>
  db.insertInto("api_keys").values({
    id: p.id,
    account_id: p.account_id,
    created: p.created,
    name: p.name,
    prefix: p.prefix,
    hash: p.hash,
    user_id: p.user_id,
    service_account_id: p.service_account_id,
    role: p.role,
    workspace_ids: p.workspace_ids,
    expires: p.expires,
    last_used: p.last_used,
    requests_per_minute: p.requests_per_minute,
  }),
);

export async function insertKey(tx: SystemTransaction, row: ApiKeyRow): Promise<void> {
  await tx.run(insert, row);
}

const owner = statement<{ account_id: string; id: string }>()((db, p) =>
  db
    .selectFrom("api_keys as key")
    .leftJoin("account_members as member", (join) =>
      join
        .onRef("member.account_id", "=", "key.account_id")
        .onRef("member.user_id", "=", "key.user_id"),
    )
    .leftJoin("service_accounts as service", "service.id", "key.service_account_id")
    .select([
      "key.user_id",
      "key.service_account_id",
      "key.role",
      "member.role as member_role",
      "service.role as service_role",
    ])
    .where("key.account_id", "=", p.account_id)
    .where("key.id", "=", p.id),
);

export interface KeyOwner extends Pick<ApiKeyRow, "user_id" | "service_account_id" | "role"> {
  /** What its user, or its service account, may do now; null where there is none any more. */
  readonly member_role: Role | null;
  readonly service_role: Role | null;
}

export async function findKeyOwner(
  tx: SystemTransaction,
  key: { readonly account_id: string; readonly id: string },
): Promise<KeyOwner | null> {
  return (await tx.get(owner, key)) ?? null;
}

interface RateChange {
  readonly account_id: string;
  readonly id: string;
  readonly requests_per_minute: number | null;
}

const setRate = statement<RateChange>()((db, p) =>
  db
    .updateTable("api_keys")
    .set({ requests_per_minute: p.requests_per_minute })
    .where("account_id", "=", p.account_id)
    .where("id", "=", p.id),
);

export async function setKeyRate(tx: SystemTransaction, change: RateChange): Promise<void> {
  await tx.run(setRate, change);
}

const deleteApiKeyRow = statement<{ account_id: string; id: string }>()((db, p) =>
  db.deleteFrom("api_keys").where("account_id", "=", p.account_id).where("id", "=", p.id),
);

export async function removeKey(
  tx: SystemTransaction,
  key: { readonly account_id: string; readonly id: string },
): Promise<void> {
  await tx.run(deleteApiKeyRow, key);
}

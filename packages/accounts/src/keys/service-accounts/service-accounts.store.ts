import type { Database, SystemTransaction } from "@orchestrator/kernel/storage";
import { type ServiceAccountRow, statement } from "../../db/tables.ts";

const COLUMNS = ["id", "account_id", "created", "updated", "name", "role"] as const;

interface Key {
  readonly account_id: string;
  readonly id: string;
}

const ofAccount = statement<{ account_id: string }>()((db, p) =>
  db
    .selectFrom("service_accounts")
    .select(COLUMNS)
    .where("account_id", "=", p.account_id)
    .orderBy("name"),
);

export function listServiceAccounts(
  { system }: Pick<Database, "system">,
  account_id: string,
): Promise<ServiceAccountRow[]> {
  return system.all(ofAccount, { account_id });
}

const byId = statement<Key>()((db, p) =>
  db
    .selectFrom("service_accounts")
    .select(COLUMNS)
    .where("account_id", "=", p.account_id)
    .where("id", "=", p.id),
);

export async function findServiceAccount(
  tx: SystemTransaction,
  key: Key,
): Promise<ServiceAccountRow | null> {
  return (await tx.get(byId, key)) ?? null;
}

const insert = statement<ServiceAccountRow>()((db, p) =>
  db.insertInto("service_accounts").values({
    id: p.id,
    account_id: p.account_id,
    created: p.created,
    updated: p.updated,
    name: p.name,
    role: p.role,
  }),
);

/** Throws `conflict` when the name is taken. */
export async function insertServiceAccount(
  tx: SystemTransaction,
  row: ServiceAccountRow,
): Promise<void> {
  await tx.run(insert, row);
}

const deleteServiceAccountRow = statement<Key>()((db, p) =>
  db.deleteFrom("service_accounts").where("account_id", "=", p.account_id).where("id", "=", p.id),
);

/** Takes its keys with it. Tells whether it was there. */
export async function removeServiceAccount(tx: SystemTransaction, key: Key): Promise<boolean> {
  return (await tx.run(deleteServiceAccountRow, key)) === 1;
}

import type { Database, SystemTransaction } from "@orchestrator/kernel/storage";
import { type AccountRow, type MemberRow, statement, type UserRow } from "../db/tables.ts";

type Reads = Pick<Database, "system">;

const anyAccount = statement()((db) => db.selectFrom("accounts").select("id").limit(1));

export async function isThereAnAccount(tx: SystemTransaction): Promise<boolean> {
  return (await tx.get(anyAccount, {})) !== undefined;
}

const byId = statement<{ id: string }>()((db, p) =>
  db
    .selectFrom("accounts")
    .select(["id", "created", "updated", "name", "handle"])
    .where("id", "=", p.id),
);

export async function findAccount({ system }: Reads, id: string): Promise<AccountRow | null> {
  return (await system.get(byId, { id })) ?? null;
}

const byHandle = statement<{ handle: string }>()((db, p) =>
  db.selectFrom("accounts").select("id").where("handle", "=", p.handle),
);

export async function findAccountByHandle(
  queries: Database["system"],
  handle: string,
): Promise<Pick<AccountRow, "id"> | null> {
  return (await queries.get(byHandle, { handle })) ?? null;
}

const insert = statement<AccountRow>()((db, p) =>
  db
    .insertInto("accounts")
    .values({ id: p.id, created: p.created, updated: p.updated, name: p.name, handle: p.handle }),
);

/** Throws `conflict` when the handle is taken. */
export async function insertAccount(tx: SystemTransaction, row: AccountRow): Promise<void> {
  await tx.run(insert, row);
}

const update = statement<AccountRow>()((db, p) =>
  db
    .updateTable("accounts")
    .set({ updated: p.updated, name: p.name, handle: p.handle })
    .where("id", "=", p.id),
);

/** Throws `conflict` when the handle is taken. */
export async function updateAccountRow(tx: SystemTransaction, row: AccountRow): Promise<void> {
  await tx.run(update, row);
}

const insertUserRow = statement<UserRow>()((db, p) =>
  db.insertInto("users").values({
    id: p.id,
    created: p.created,
    updated: p.updated,
    name: p.name,
    email: p.email,
    password_hash: p.password_hash,
  }),
);

/** Throws `conflict` when the email is taken. */
export async function insertUser(tx: SystemTransaction, row: UserRow): Promise<void> {
  await tx.run(insertUserRow, row);
}

const insertMemberRow = statement<MemberRow>()((db, p) =>
  db.insertInto("account_members").values({
    account_id: p.account_id,
    user_id: p.user_id,
    created: p.created,
    role: p.role,
  }),
);

export async function insertMember(tx: SystemTransaction, row: MemberRow): Promise<void> {
  await tx.run(insertMemberRow, row);
}

import type { Database, SystemTransaction } from "@orchestrator/kernel/storage";
import { statement, type UserRow } from "../db/tables.ts";

type Reads = Database["system"];

const COLUMNS = ["id", "created", "updated", "name", "email", "password_hash"] as const;

const byId = statement<{ id: string }>()((db, p) =>
  db.selectFrom("users").select(COLUMNS).where("id", "=", p.id),
);

export async function findUser(queries: Reads, id: string): Promise<UserRow | null> {
  return (await queries.get(byId, { id })) ?? null;
}

const byEmail = statement<{ email: string }>()((db, p) =>
  db.selectFrom("users").select(COLUMNS).where("email", "=", p.email),
);

/** The email is in lower case. */
export async function findUserByEmail(queries: Reads, email: string): Promise<UserRow | null> {
  return (await queries.get(byEmail, { email })) ?? null;
}

const update = statement<Omit<UserRow, "created" | "password_hash">>()((db, p) =>
  db
    .updateTable("users")
    .set({ updated: p.updated, name: p.name, email: p.email })
    .where("id", "=", p.id),
);

/** Throws `conflict` when the email is taken. */
export async function updateUser(
  tx: SystemTransaction,
  row: Pick<UserRow, "id" | "updated" | "name" | "email">,
): Promise<void> {
  await tx.run(update, row);
}

const setHash = statement<Pick<UserRow, "id" | "updated" | "password_hash">>()((db, p) =>
  db
    .updateTable("users")
    .set({ updated: p.updated, password_hash: p.password_hash })
    .where("id", "=", p.id),
);

export async function setPasswordHash(
  tx: SystemTransaction,
  row: Pick<UserRow, "id" | "updated" | "password_hash">,
): Promise<void> {
  await tx.run(setHash, row);
}

const removeRow = statement<{ id: string }>()((db, p) =>
  db.deleteFrom("users").where("id", "=", p.id),
);

/** Sessions and identities go with it. */
export async function removeUser(tx: SystemTransaction, id: string): Promise<void> {
  await tx.run(removeRow, { id });
}

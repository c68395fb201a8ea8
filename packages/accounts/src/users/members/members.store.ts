import type { Member, Role } from "@orchestrator/contract";
import type { Database, SystemTransaction } from "@orchestrator/kernel/storage";
import { type MemberRow, statement } from "../../db/tables.ts";

type Reads = Database["system"];

interface Key {
  readonly account_id: string;
  readonly user_id: string;
}

const ofAccount = statement<{ account_id: string }>()((db, p) =>
  db
    .selectFrom("account_members as member")
    .innerJoin("users as user", "user.id", "member.user_id")
    .select([
      "member.account_id",
      "member.user_id",
      "member.created",
      "member.role",
      "user.name",
      "user.email",
    ])
    .where("member.account_id", "=", p.account_id)
    .orderBy("member.created")
    .orderBy("member.user_id"),
);

/** Those who came first stand first. */
export function listMembersOf(queries: Reads, account_id: string): Promise<Member[]> {
  return queries.all(ofAccount, { account_id });
}

const byKey = statement<Key>()((db, p) =>
  db
    .selectFrom("account_members")
    .select(["account_id", "user_id", "created", "role"])
    .where("account_id", "=", p.account_id)
    .where("user_id", "=", p.user_id),
);

export async function findMember(queries: Reads, key: Key): Promise<MemberRow | null> {
  return (await queries.get(byKey, key)) ?? null;
}

const countOwnersOf = statement<{ account_id: string; owner: Role }>()((db, p) =>
  db
    .selectFrom("account_members")
    .select((e) => e.fn.countAll<number>().as("count"))
    .where("account_id", "=", p.account_id)
    .where("role", "=", p.owner),
);

export async function countOwners(tx: SystemTransaction, account_id: string): Promise<number> {
  return Number((await tx.get(countOwnersOf, { account_id, owner: "owner" }))?.count ?? 0);
}

const countMembershipsOf = statement<{ user_id: string }>()((db, p) =>
  db
    .selectFrom("account_members")
    .select((e) => e.fn.countAll<number>().as("count"))
    .where("user_id", "=", p.user_id),
);

export async function countMemberships(tx: SystemTransaction, user_id: string): Promise<number> {
  return Number((await tx.get(countMembershipsOf, { user_id }))?.count ?? 0);
}

const setRole = statement<Key & { role: Role }>()((db, p) =>
  db
    .updateTable("account_members")
    .set({ role: p.role })
    .where("account_id", "=", p.account_id)
    .where("user_id", "=", p.user_id),
);

export async function setMemberRole(
  tx: SystemTransaction,
  row: Key & { readonly role: Role },
): Promise<void> {
  await tx.run(setRole, row);
}

const removeRow = statement<Key>()((db, p) =>
  db
    .deleteFrom("account_members")
    .where("account_id", "=", p.account_id)
    .where("user_id", "=", p.user_id),
);

const removeKeys = statement<Key>()((db, p) =>
  db.deleteFrom("api_keys").where("account_id", "=", p.account_id).where("user_id", "=", p.user_id),
);

/** The keys that the user has for the account go with it. */
export async function removeMemberRow(tx: SystemTransaction, key: Key): Promise<void> {
  await tx.run(removeKeys, key);
  await tx.run(removeRow, key);
}

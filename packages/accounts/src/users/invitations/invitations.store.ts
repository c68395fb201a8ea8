import type { Invitation } from "@orchestrator/contract";
import type { Database, SystemTransaction } from "@orchestrator/kernel/storage";
import { type InvitationRow, statement } from "../../db/tables.ts";

type Reads = Database["system"];

const SHOWN = ["id", "account_id", "created", "expires", "email", "role"] as const;

const ofAccount = statement<{ account_id: string; now: string }>()((db, p) =>
  db
    .selectFrom("invitations")
    .select(SHOWN)
    .where("account_id", "=", p.account_id)
    .where("expires", ">", p.now)
    .orderBy("id"),
);

/** Oldest first. */
export function listInvitationsOf(
  queries: Reads,
  asked: { readonly account_id: string; readonly now: string },
): Promise<Invitation[]> {
  return queries.all(ofAccount, asked);
}

const insert = statement<InvitationRow>()((db, p) =>
  db.insertInto("invitations").values({
    id: p.id,
    account_id: p.account_id,
    created: p.created,
    expires: p.expires,
    email: p.email,
    role: p.role,
    token_hash: p.token_hash,
  }),
);

export async function insertInvitation(tx: SystemTransaction, row: InvitationRow): Promise<void> {
  await tx.run(insert, row);
}

const withAccount = statement<{ token_hash: string; now: string }>()((db, p) =>
  db
    .selectFrom("invitations as invitation")
    .innerJoin("accounts as account", "account.id", "invitation.account_id")
    .select([
      "invitation.id",
      "invitation.account_id",
      "invitation.email",
      "invitation.role",
      "account.name as account_name",
    ])
    .where("invitation.token_hash", "=", p.token_hash)
    .where("invitation.expires", ">", p.now),
);

export interface OpenInvitation
  extends Pick<InvitationRow, "id" | "account_id" | "email" | "role"> {
  readonly account_name: string;
}

export async function findInvitationByToken(
  queries: Reads,
  asked: { readonly token_hash: string; readonly now: string },
): Promise<OpenInvitation | null> {
  return (await queries.get(withAccount, asked)) ?? null;
}

const ofEmail = statement<{ email: string; now: string }>()((db, p) =>
  db
    .selectFrom("invitations")
    .select(["id", "account_id", "email", "role"])
    .where("email", "=", p.email)
    .where("expires", ">", p.now)
    .orderBy("id"),
);

/** Those of all accounts. */
export function listInvitationsByEmail(
  queries: Reads,
  asked: { readonly email: string; readonly now: string },
): Promise<Omit<OpenInvitation, "account_name">[]> {
  return queries.all(ofEmail, asked);
}

const memberByEmail = statement<{ account_id: string; email: string }>()((db, p) =>
  db
    .selectFrom("account_members as member")
    .innerJoin("users as user", "user.id", "member.user_id")
    .select("member.user_id")
    .where("member.account_id", "=", p.account_id)
    .where("user.email", "=", p.email),
);

export async function isMember(
  tx: SystemTransaction,
  asked: { readonly account_id: string; readonly email: string },
): Promise<boolean> {
  return (await tx.get(memberByEmail, asked)) !== undefined;
}

const removeById = statement<{ account_id: string; id: string }>()((db, p) =>
  db.deleteFrom("invitations").where("account_id", "=", p.account_id).where("id", "=", p.id),
);

/** Tells whether it was there. */
export async function removeInvitation(
  tx: SystemTransaction,
  key: { readonly account_id: string; readonly id: string },
): Promise<boolean> {
  return (await tx.run(removeById, { account_id: key.account_id, id: key.id })) === 1;
}

const removeByEmail = statement<{ account_id: string; email: string }>()((db, p) =>
  db.deleteFrom("invitations").where("account_id", "=", p.account_id).where("email", "=", p.email),
);

export async function deleteEarlierInvitations(
  tx: SystemTransaction,
  key: { readonly account_id: string; readonly email: string },
): Promise<void> {
  await tx.run(removeByEmail, key);
}

const removeOld = statement<{ now: string }>()((db, p) =>
  db.deleteFrom("invitations").where("expires", "<=", p.now),
);

/** Tells how many nobody has accepted in time. */
export function removeExpiredInvitations(tx: SystemTransaction, now: string): Promise<number> {
  return tx.run(removeOld, { now });
}

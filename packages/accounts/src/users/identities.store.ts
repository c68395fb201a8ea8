import type { Database, SystemTransaction } from "@orchestrator/kernel/storage";
import { type IdentityRow, statement } from "../db/tables.ts";

type Reads = Database["system"];

const userOf = statement<{ issuer: string; subject: string }>()((db, p) =>
  db
    .selectFrom("user_identities")
    .select("user_id")
    .where("issuer", "=", p.issuer)
    .where("subject", "=", p.subject),
);

/** The user whom the provider knows by this name. */
export async function findUserIdOf(
  queries: Reads,
  identity: Pick<IdentityRow, "issuer" | "subject">,
): Promise<string | null> {
  return (await queries.get(userOf, identity))?.user_id ?? null;
}

const ofUser = statement<{ user_id: string }>()((db, p) =>
  db.selectFrom("user_identities").select("subject").where("user_id", "=", p.user_id).limit(1),
);

export async function hasIdentity(queries: Reads, user_id: string): Promise<boolean> {
  return (await queries.get(ofUser, { user_id })) !== undefined;
}

const insert = statement<IdentityRow>()((db, p) =>
  db.insertInto("user_identities").values({
    issuer: p.issuer,
    subject: p.subject,
    user_id: p.user_id,
    created: p.created,
  }),
);

/** Throws `conflict` when it is somebody's already. */
export async function insertIdentity(tx: SystemTransaction, row: IdentityRow): Promise<void> {
  await tx.run(insert, row);
}

import type { Database, SystemTransaction } from "@orchestrator/kernel/storage";
import { type SessionRow, statement } from "../../db/tables.ts";

const insert = statement<SessionRow>()((db, p) =>
  db.insertInto("sessions").values({
    id: p.id,
    user_id: p.user_id,
    api_key_id: p.api_key_id,
    token_hash: p.token_hash,
    created: p.created,
    last_used: p.last_used,
    ends: p.ends,
    address: p.address,
    user_agent: p.user_agent,
  }),
);

export async function insertSession(tx: SystemTransaction, row: SessionRow): Promise<void> {
  await tx.run(insert, row);
}

const ofUser = statement<{ user_id: string }>()((db, p) =>
  db
    .selectFrom("sessions")
    .select(["id", "created", "last_used", "ends", "address", "user_agent"])
    .where("user_id", "=", p.user_id)
    .orderBy("id", "desc"),
);

export type ListedSession = Pick<
  SessionRow,
  "id" | "created" | "last_used" | "ends" | "address" | "user_agent"
>;

/** Newest first. */
export function listSessionsOf(
  queries: Database["system"],
  user_id: string,
): Promise<ListedSession[]> {
  return queries.all(ofUser, { user_id });
}

const removeByHash = statement<{ token_hash: string }>()((db, p) =>
  db.deleteFrom("sessions").where("token_hash", "=", p.token_hash),
);

/** Tells whether it was there. */
export async function removeSession(tx: SystemTransaction, token_hash: string): Promise<boolean> {
  return (await tx.run(removeByHash, { token_hash })) === 1;
}

const removeById = statement<{ user_id: string; id: string }>()((db, p) =>
  db.deleteFrom("sessions").where("user_id", "=", p.user_id).where("id", "=", p.id),
);

/** Tells whether it was there. */
export async function removeOwnSession(
  tx: SystemTransaction,
  key: { readonly user_id: string; readonly id: string },
): Promise<boolean> {
  return (await tx.run(removeById, key)) === 1;
}

/** No session has this id. */
const NO_SESSION = "00000000-0000-0000-0000-000000000000";

const removeAll = statement<{ user_id: string; but: string }>()((db, p) =>
  db.deleteFrom("sessions").where("user_id", "=", p.user_id).where("id", "<>", p.but),
);

/** All of the user, but for one that may stay. */
export async function removeSessionsOf(
  tx: SystemTransaction,
  { user_id, but }: { readonly user_id: string; readonly but: string | null },
): Promise<void> {
  await tx.run(removeAll, { user_id, but: but ?? NO_SESSION });
}

const removeOver = statement<{ now: string; unused_since: string }>()((db, p) =>
  db
    .deleteFrom("sessions")
    .where((e) => e.or([e("ends", "<=", p.now), e("last_used", "<=", p.unused_since)])),
);

/** Tells how many were over. */
export function removeOverSessions(
  tx: SystemTransaction,
  times: { readonly now: string; readonly unused_since: string },
): Promise<number> {
  return tx.run(removeOver, times);
}

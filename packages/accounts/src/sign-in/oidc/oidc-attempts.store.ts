import type { SystemTransaction } from "@orchestrator/kernel/storage";
import { type OidcAttemptRow, statement } from "../../db/tables.ts";

const insert = statement<OidcAttemptRow>()((db, p) =>
  db.insertInto("oidc_attempts").values({
    state_hash: p.state_hash,
    browser_hash: p.browser_hash,
    expires: p.expires,
    nonce: p.nonce,
    code_verifier: p.code_verifier,
    redirect_uri: p.redirect_uri,
    return_to: p.return_to,
    session_id: p.session_id,
  }),
);

export async function insertAttempt(tx: SystemTransaction, row: OidcAttemptRow): Promise<void> {
  await tx.run(insert, row);
}

const count = statement()((db) =>
  db.selectFrom("oidc_attempts").select((e) => e.fn.countAll<number>().as("count")),
);

export async function countAttempts(tx: SystemTransaction): Promise<number> {
  return Number((await tx.get(count, {}))?.count ?? 0);
}

type Key = Pick<OidcAttemptRow, "state_hash" | "browser_hash">;

const find = statement<Key & { now: string }>()((db, p) =>
  db
    .selectFrom("oidc_attempts")
    .select(["nonce", "code_verifier", "redirect_uri", "return_to", "session_id"])
    .where("state_hash", "=", p.state_hash)
    .where("browser_hash", "=", p.browser_hash)
    .where("expires", ">", p.now),
);

const deleteOidcAttemptRow = statement<{ state_hash: string }>()((db, p) =>
  db.deleteFrom("oidc_attempts").where("state_hash", "=", p.state_hash),
);

export type TakenAttempt = Pick<
  OidcAttemptRow,
  "nonce" | "code_verifier" | "redirect_uri" | "return_to" | "session_id"
>;

/**
 * An attempt is finished once: null where it was before, is too old, or was begun by another
 * browser.
 */
export async function takeAttempt(
  tx: SystemTransaction,
  asked: Key & { readonly now: string },
): Promise<TakenAttempt | null> {
  const found = await tx.get(find, asked);
  if (found === undefined) return null;
  const isFirst = (await tx.run(deleteOidcAttemptRow, { state_hash: asked.state_hash })) === 1;
  return isFirst ? found : null;
}

const removeOld = statement<{ now: string }>()((db, p) =>
  db.deleteFrom("oidc_attempts").where("expires", "<=", p.now),
);

/** Tells how many were never finished. */
export function removeOldAttempts(tx: SystemTransaction, now: string): Promise<number> {
  return tx.run(removeOld, { now });
}

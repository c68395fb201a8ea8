import { KeyringError, reseal, type ServiceHost, sealedKeyId } from "@orchestrator/kernel";
import type { Resealing } from "../block-documents/reseal.service.ts";
import { secretPlace } from "./sealed-secret.ts";
import { findSecretsSealedOtherwise, replaceSealedSecret } from "./webhooks.store.ts";

const BATCH = 50;
const BEFORE_ALL = "00000000-0000-0000-0000-000000000000";

/** Seals the secrets of webhooks that other keys have sealed under the active one. */
export async function resealWebhooks(
  { db, keyring }: Pick<ServiceHost, "db" | "keyring">,
  signal?: AbortSignal,
): Promise<Resealing> {
  const problems: KeyringError[] = [];
  let resealed = 0;
  let after = BEFORE_ALL;
  while (!signal?.aborted) {
    const key = keyring.activeKeyId();
    const rows = await findSecretsSealedOtherwise(db, { key, after, limit: BATCH });
    const last = rows.at(-1);
    if (last === undefined) break;
    after = last.id;
    for (const { id, secret: before } of rows) {
      if (before === null) continue;
      try {
        const secret = reseal(keyring, before, secretPlace(id)) ?? before;
        const replacement = { id, before, secret, sealed_with: sealedKeyId(secret) };
        if (await db.writeSystem((tx) => replaceSealedSecret(tx, replacement))) resealed += 1;
      } catch (error) {
        if (!(error instanceof KeyringError)) throw error;
        problems.push(error);
      }
    }
  }
  return { resealed, problems };
}

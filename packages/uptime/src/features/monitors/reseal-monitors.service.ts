import { KeyringError, reseal, type ServiceHost, sealedKeyId } from "@orchestrator/kernel";
import { findSecretsSealedOtherwise, replaceSealedSecrets } from "./monitors.store.ts";
import { secretsPlace } from "./sealed-secrets.ts";

export interface Resealing {
  readonly resealed: number;
  /** What could not be opened. */
  readonly problems: readonly KeyringError[];
}

const BATCH = 50;
const BEFORE_ALL = "00000000-0000-0000-0000-000000000000";

/** Seals the secrets of monitors that other keys have sealed under the active one. */
export async function resealMonitors(
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
    for (const { id, secrets: before } of rows) {
      if (before === null) continue;
      try {
        const secrets = reseal(keyring, before, secretsPlace(id)) ?? before;
        const replacement = { id, before, secrets, sealed_with: sealedKeyId(secrets) };
        if (await db.writeSystem((tx) => replaceSealedSecrets(tx, replacement))) resealed += 1;
      } catch (error) {
        if (!(error instanceof KeyringError)) throw error;
        problems.push(error);
      }
    }
  }
  return { resealed, problems };
}

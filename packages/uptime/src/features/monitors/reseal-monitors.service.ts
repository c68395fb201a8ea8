import { type Resealing, resealRows, type ServiceHost } from "@orchestrator/kernel";
import { findSecretsSealedOtherwise, replaceSealedSecrets } from "./monitors.store.ts";
import { secretsPlace } from "./sealed-secrets.ts";

/** Seals the secrets of monitors that other keys have sealed under the active one. */
export function resealMonitors(
  { db, keyring }: Pick<ServiceHost, "db" | "keyring">,
  signal?: AbortSignal,
): Promise<Resealing> {
  const rows = {
    find: (page: Parameters<typeof findSecretsSealedOtherwise>[1]) =>
      findSecretsSealedOtherwise(db, page),
    place: secretsPlace,
    replace: (row: Parameters<typeof replaceSealedSecrets>[1]) =>
      db.writeSystem((tx) => replaceSealedSecrets(tx, row)),
  };
  return resealRows(keyring, rows, signal);
}

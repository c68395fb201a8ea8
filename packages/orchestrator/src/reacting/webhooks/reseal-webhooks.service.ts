import type { ServiceHost } from "@orchestrator/kernel/scope";
import { type Resealing, resealRows } from "@orchestrator/kernel/secrets";
import { secretPlace } from "./sealed-secret.ts";
import { findWebhooksSealedOtherwise, replaceSealedSecret } from "./webhooks.store.ts";

/** Seals the secrets of webhooks that other keys have sealed under the active one. */
export function resealWebhooks(
  { db, keyring }: Pick<ServiceHost, "db" | "keyring">,
  signal?: AbortSignal,
): Promise<Resealing> {
  const rows = {
    find: (page: Parameters<typeof findWebhooksSealedOtherwise>[1]) =>
      findWebhooksSealedOtherwise(db, page),
    place: secretPlace,
    replace: (row: Parameters<typeof replaceSealedSecret>[1]) =>
      db.writeSystem((tx) => replaceSealedSecret(tx, row)),
  };
  return resealRows(keyring, rows, signal);
}

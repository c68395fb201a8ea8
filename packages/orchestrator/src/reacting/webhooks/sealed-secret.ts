import { type Keyring, sealedKeyId } from "@orchestrator/kernel/secrets";
import type { WebhookRow } from "../../db/tables/webhooks.table.ts";

/** The place a webhook's secret is sealed for. It opens nowhere else. */
export const secretPlace = (id: string): string => `webhooks/${id}/secret`;

export function sealSecret(
  keyring: Keyring,
  id: string,
  secret: string | null,
): Pick<WebhookRow, "secret" | "sealed_with"> {
  if (secret === null) return { secret: null, sealed_with: null };
  const sealed = keyring.seal(secret, secretPlace(id));
  return { secret: sealed, sealed_with: sealedKeyId(sealed) };
}

export function openSecret(keyring: Keyring, id: string, sealed: string): string {
  return keyring.open(sealed, secretPlace(id));
}

import type { ServiceHost } from "@orchestrator/kernel/scope";
import type { Resealing } from "@orchestrator/kernel/secrets";
import { resealDocuments } from "./blocks/documents/reseal.service.ts";
import { resealWebhooks } from "./reacting/webhooks/reseal-webhooks.service.ts";

/** Seals everything that other keys have sealed under the active one. */
export async function resealSecrets(
  host: Pick<ServiceHost, "db" | "keyring">,
  signal?: AbortSignal,
): Promise<Resealing> {
  const documents = await resealDocuments(host, signal);
  const webhooks = await resealWebhooks(host, signal);
  return {
    resealed: documents.resealed + webhooks.resealed,
    problems: [...documents.problems, ...webhooks.problems],
  };
}

import type { WebhookRow } from "../../db/tables/webhooks.table.ts";
import type { ResourceEvent } from "../../events/emit.ts";

type WebhookEventFields = Pick<WebhookRow, "id" | "name" | "enabled">;

/** Neither the token nor the secret is told, and no template: it may be long. */
export function webhookEvent(
  verb: "created" | "updated" | "rotated" | "deleted",
  { id, name, enabled }: WebhookEventFields,
  occurred: string,
): ResourceEvent {
  const payload = JSON.stringify({ name, enabled });
  return { kind: "webhook", verb, id, name, occurred, payload };
}

/** Requests to it no longer become events, or for another reason than before. */
export function webhookFailedEvent(
  {
    id,
    name,
    last_status,
    last_error,
  }: Pick<WebhookRow, keyof WebhookEventFields | "last_status" | "last_error">,
  occurred: string,
): ResourceEvent {
  const payload = JSON.stringify({ name, status: last_status, error: last_error });
  return { kind: "webhook", verb: "failed", id, name, occurred, payload };
}

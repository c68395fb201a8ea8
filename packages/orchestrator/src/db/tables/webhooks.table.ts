import type { WebhookStatus } from "@orchestrator/contract";
import { type ComputedField, column, defineTable, type RowOf } from "@orchestrator/kernel/storage";

const { flag, id, integer, json, text, time } = column;

const SIGNED: ComputedField = {
  kind: "flag",
  expression: ({ text }) => text("$.secret is not null"),
};

/** The token is stored as its hash, the secret sealed. */
export const WEBHOOKS = defineTable("webhooks", {
  id: id(),
  created: time(),
  updated: time().changeable(),
  name: text().changeable(),
  description: text().changeable(),
  enabled: flag().changeable(),
  template: text().orNull().changeable(),
  event: text().orNull().changeable(),
  resource: json().orNull().changeable(),
  accepts_get: flag().changeable(),
  rate_limit: integer().changeable(),
  signature_header: text().orNull().changeable(),
  delivery_header: text().orNull().changeable(),
  token_hash: text().internal().changeable(),
  secret: text().orNull().internal().changeable(),
  sealed_with: text().orNull().internal().changeable(),
  signed: SIGNED,
  last_received: time().orNull(),
  last_status: text<WebhookStatus>().orNull(),
  last_error: text().orNull(),
});
export type WebhookRow = RowOf<typeof WEBHOOKS>;

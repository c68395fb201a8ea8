import type { WebhookStatus } from "@orchestrator/contract";
import type { ComputedField, Fields } from "@orchestrator/kernel/storage";

/** A row as it is stored: `resource` is JSON text, the token is kept as its hash, the secret sealed. */
export interface WebhookRow {
  readonly id: string;
  readonly created: string;
  readonly updated: string;
  readonly name: string;
  readonly description: string;
  readonly enabled: boolean;
  readonly template: string | null;
  readonly event: string | null;
  readonly resource: string | null;
  readonly accepts_get: boolean;
  readonly rate_limit: number;
  readonly signature_header: string | null;
  readonly delivery_header: string | null;
  readonly token_hash: string;
  readonly secret: string | null;
  readonly sealed_with: string | null;
  readonly last_received: string | null;
  readonly last_status: WebhookStatus | null;
  readonly last_error: string | null;
}

const SIGNED: ComputedField = { kind: "flag", expression: () => "$.secret is not null" };

/** The record on the wire, in this order. */
export const WEBHOOK_FIELDS = {
  id: "id",
  created: "time",
  updated: "time",
  name: "text",
  description: "text",
  enabled: "flag",
  template: "text",
  event: "text",
  resource: "json",
  accepts_get: "flag",
  rate_limit: "integer",
  signature_header: "text",
  delivery_header: "text",
  signed: SIGNED,
  last_received: "time",
  last_status: "text",
  last_error: "text",
} as const satisfies Fields;

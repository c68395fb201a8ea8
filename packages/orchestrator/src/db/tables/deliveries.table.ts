import type { DeliveryAction, DeliveryStatus } from "@orchestrator/contract";
import type { Fields } from "@orchestrator/kernel/storage";

/** A row as it is stored. Nothing in it is secret: what is, is read from the block in the moment of sending. */
export interface DeliveryRow {
  /** Also the invocation of the action, and what receivers can tell repetitions by. */
  readonly id: string;
  readonly created: string;
  readonly updated: string;
  readonly automation_id: string;
  readonly automation_name: string;
  readonly action_type: DeliveryAction;
  readonly action_index: number;
  readonly block_document_id: string;
  readonly block_document_name: string;
  readonly block_type_slug: string;
  readonly subject: string | null;
  readonly status: DeliveryStatus;
  /** JSON: what has become of it for each recipient. */
  readonly parts: string;
  readonly attempts: number;
  readonly destination: string | null;
  readonly status_code: number | null;
  readonly last_attempt: string | null;
  readonly last_error: string | null;
  /** When it may be taken up; null when it is settled. */
  readonly next_attempt: string | null;
  readonly give_up: string;
  readonly settled: string | null;
  /** Who is at it, and until when nobody else is. */
  readonly claim: string | null;
  readonly held_until: string | null;
  /** JSON: what is sent; null once it is settled, or is not to be sent any more. */
  readonly content: string | null;
  /** JSON: as much of the firing as its events tell. */
  readonly firing: string;
  /** The event that tells that the action was begun. */
  readonly follows: string;
}

/** The record on the wire, in this order. */
export const DELIVERY_FIELDS = {
  id: "id",
  created: "time",
  updated: "time",
  automation_id: "id",
  automation_name: "text",
  action_type: "text",
  action_index: "integer",
  block_document_id: "id",
  block_document_name: "text",
  block_type_slug: "text",
  subject: "text",
  status: "text",
  parts: "json",
  attempts: "integer",
  destination: "text",
  status_code: "integer",
  last_attempt: "time",
  last_error: "text",
  next_attempt: "time",
  give_up: "time",
  settled: "time",
} as const satisfies Fields;

import type { DeliveryAction, DeliveryStatus } from "@orchestrator/contract";
import { column, defineTable, type RowOf } from "@orchestrator/kernel/storage";

const { id, integer, json, text, time } = column;

/** Nothing here is secret: a secret is read from the block at the moment of sending. */
export const DELIVERIES = defineTable("deliveries", {
  /** Also the invocation of the action, by which receivers recognize repetitions. */
  id: id(),
  created: time(),
  updated: time(),
  automation_id: id(),
  automation_name: text(),
  action_type: text<DeliveryAction>(),
  action_index: integer(),
  block_document_id: id(),
  block_document_name: text(),
  block_type_slug: text(),
  subject: text().orNull(),
  status: text<DeliveryStatus>(),
  /** What has become of it for each recipient. */
  parts: json(),
  attempts: integer(),
  destination: text().orNull(),
  status_code: integer().orNull(),
  last_attempt: time().orNull(),
  last_error: text().orNull(),
  /** When it may be taken up; null when it is settled. */
  next_attempt: time().orNull(),
  give_up: time(),
  settled: time().orNull(),
  /** The server that sends it, and when its lease ends. */
  claim: id().orNull().internal(),
  held_until: time().orNull().internal(),
  /** What is sent; null once it is settled, or is not to be sent any more. */
  content: json().orNull().internal(),
  /** As much of the firing as its events report. */
  firing: json().internal(),
  /** The event of the action's begin. */
  follows: id().internal(),
});
export type DeliveryRow = RowOf<typeof DELIVERIES>;

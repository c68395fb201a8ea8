import type { Fields } from "@orchestrator/kernel/storage";

/** A row as it is stored: `tags` and `labels` are JSON text. */
export interface FlowRow {
  readonly id: string;
  readonly created: string;
  readonly updated: string;
  readonly name: string;
  readonly tags: string;
  readonly labels: string;
}

/** The record on the wire, in this order. */
export const FLOW_FIELDS = {
  id: "id",
  created: "time",
  updated: "time",
  name: "text",
  tags: "tags",
  labels: "json",
} as const satisfies Fields & Record<keyof FlowRow, unknown>;

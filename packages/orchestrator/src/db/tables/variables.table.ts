import type { Fields } from "@orchestrator/kernel/storage";

/** A row as it is stored: `value` and `tags` are JSON text. */
export interface VariableRow {
  readonly id: string;
  readonly created: string;
  readonly updated: string;
  readonly name: string;
  readonly value: string;
  readonly tags: string;
}

/** The record on the wire, in this order. */
export const VARIABLE_FIELDS = {
  id: "id",
  created: "time",
  updated: "time",
  name: "text",
  value: "json",
  tags: "tags",
} as const satisfies Fields & Record<keyof VariableRow, unknown>;

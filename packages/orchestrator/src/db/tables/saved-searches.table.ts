import type { Fields } from "@orchestrator/kernel/storage";

/** A row as it is stored: `filters` is JSON text. */
export interface SavedSearchRow {
  readonly id: string;
  readonly created: string;
  readonly updated: string;
  readonly name: string;
  readonly filters: string;
}

/** The record on the wire, in this order. */
export const SAVED_SEARCH_FIELDS = {
  id: "id",
  created: "time",
  updated: "time",
  name: "text",
  filters: "json",
} as const satisfies Fields & Record<keyof SavedSearchRow, unknown>;

import type { Fields } from "@orchestrator/kernel/storage";

export interface BlockTypeRow {
  readonly id: string;
  readonly created: string;
  readonly updated: string;
  readonly name: string;
  readonly slug: string;
  readonly logo_url: string | null;
  readonly documentation_url: string | null;
  readonly description: string | null;
  readonly code_example: string | null;
  readonly is_protected: boolean;
}

/** The record on the wire, in this order. */
export const BLOCK_TYPE_FIELDS = {
  id: "id",
  created: "time",
  updated: "time",
  name: "text",
  slug: "text",
  logo_url: "text",
  documentation_url: "text",
  description: "text",
  code_example: "text",
  is_protected: "flag",
} as const satisfies Fields & Record<keyof BlockTypeRow, unknown>;

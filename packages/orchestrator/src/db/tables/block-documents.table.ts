import type { Fields } from "@orchestrator/kernel/storage";

/** A row as it is stored: `data` is sealed, with the key that `sealed_with` names. */
export interface BlockDocumentRow {
  readonly id: string;
  readonly created: string;
  readonly updated: string;
  readonly name: string;
  readonly block_type_id: string;
  readonly block_type_name: string;
  readonly block_schema_id: string;
  readonly is_anonymous: boolean;
  readonly sealed_with: string;
  readonly data: string;
}

/** What stands in the place `name` of the parent's data is another document. */
export interface BlockDocumentReferenceRow {
  readonly parent_id: string;
  readonly name: string;
  readonly reference_id: string;
}

/** One row for a workspace: whoever changes references holds it, so that no two make a circle together. */
export interface BlockReferenceChangeRow {
  readonly changed: string;
}

/** The row, not the record: what goes out is opened, masked and put together first. */
export const BLOCK_DOCUMENT_ROW = {
  id: "id",
  created: "time",
  updated: "time",
  name: "text",
  block_type_id: "id",
  block_type_name: "text",
  block_schema_id: "id",
  is_anonymous: "flag",
  sealed_with: "text",
  data: "text",
} as const satisfies Fields & Record<keyof BlockDocumentRow, unknown>;

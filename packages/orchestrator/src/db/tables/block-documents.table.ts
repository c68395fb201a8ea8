import { column, defineTable, type RowOf } from "@orchestrator/kernel/storage";

const { flag, id, text, time } = column;

/**
 * `data` is sealed, with the key that `sealed_with` names. What goes out is opened and masked
 * first.
 */
export const BLOCK_DOCUMENTS = defineTable("block_documents", {
  id: id(),
  created: time(),
  updated: time().changeable(),
  name: text(),
  block_type_id: id(),
  block_type_name: text(),
  block_schema_id: id().changeable(),
  is_anonymous: flag(),
  sealed_with: text().changeable(),
  data: text().changeable(),
});
export type BlockDocumentRow = RowOf<typeof BLOCK_DOCUMENTS>;

/** What stands in the place `name` of the parent's data is another document. */
export const BLOCK_DOCUMENT_REFERENCES = defineTable("block_document_references", {
  parent_id: id(),
  name: text(),
  reference_id: id(),
});
export type BlockDocumentReferenceRow = RowOf<typeof BLOCK_DOCUMENT_REFERENCES>;

/**
 * One row for a workspace. A change of references locks it, so that no two make a cycle together.
 */
export interface BlockReferenceChangeRow {
  readonly changed: string;
}

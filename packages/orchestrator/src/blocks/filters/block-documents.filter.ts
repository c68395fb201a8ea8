import type { BlockDocumentFilter, BlockDocumentSort } from "@orchestrator/contract";
import type { ListDefinition, Relations, Selection } from "@orchestrator/kernel/lists";
import { BLOCK_DOCUMENTS } from "../../db/tables/block-documents.table.ts";
import { sizesOf } from "../../lists/page-size.ts";
import { BLOCK_SCHEMA_LIST } from "./block-schemas.filter.ts";
import { BLOCK_TYPE_LIST } from "./block-types.filter.ts";

const IS_ANONYMOUS = { column: "is_anonymous", kind: "flag", operators: ["eq_"] } as const;

/**
 * What is asked for, and beside it what is shown at all: however the former is joined, both must be
 * met.
 */
export const BLOCK_DOCUMENT_LIST: ListDefinition<BlockDocumentSort> = {
  table: "block_documents",
  fields: BLOCK_DOCUMENTS.fields,
  filter: {
    asked: {
      group: {
        id: { column: "id", kind: "id", operators: ["any_"] },
        is_anonymous: IS_ANONYMOUS,
        block_type_id: { column: "block_type_id", kind: "id", operators: ["any_"] },
        name: { column: "name", kind: "text", hasWildcards: true, operators: ["any_", "like_"] },
      },
    },
    shown: { group: { is_anonymous: IS_ANONYMOUS } },
  },
  sorts: {
    NAME_ASC: ["name asc"],
    NAME_DESC: ["name desc"],
    BLOCK_TYPE_AND_NAME_ASC: ["block_type_name asc", "name asc"],
    CREATED_DESC: ["created desc"],
    UPDATED_DESC: ["updated desc"],
  },
  defaultSort: "NAME_ASC",
};

/** The same without what is sealed. */
export const BLOCK_DOCUMENT_NAMES: ListDefinition<BlockDocumentSort> = {
  ...BLOCK_DOCUMENT_LIST,
  fields: {
    ...BLOCK_DOCUMENTS.fields,
    data: { kind: "text", expression: ({ text }) => text("cast('' as text)") },
  },
};

export const BLOCK_DOCUMENT_SIZES = sizesOf(BLOCK_DOCUMENT_LIST, { data: "text" });

const RELATIONS: Relations = {
  block_types: { to: BLOCK_TYPE_LIST, column: "block_type_id" },
  block_schemas: { to: BLOCK_SCHEMA_LIST, column: "block_schema_id" },
};

export interface DocumentSelection {
  readonly block_documents?: BlockDocumentFilter;
  readonly block_types?: Readonly<Record<string, unknown>>;
  readonly block_schemas?: Readonly<Record<string, unknown>>;
}

/** Anonymous documents are left out unless the filter says something of them, be it null. */
export function selectDocuments({
  block_documents: asked = {},
  ...related
}: DocumentSelection): Selection {
  const isSaid = "is_anonymous" in asked;
  const shown = isSaid ? {} : { is_anonymous: { eq_: false } };
  return { filter: { asked, shown }, related, relations: RELATIONS };
}

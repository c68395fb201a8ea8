import type { ListDefinition } from "@orchestrator/kernel/lists";
import { BLOCK_SCHEMAS } from "../../db/tables/block-schemas.table.ts";

export const BLOCK_SCHEMA_LIST: ListDefinition = {
  table: "block_schemas",
  fields: BLOCK_SCHEMAS.fields,
  filter: {
    block_type_id: { column: "block_type_id", kind: "id", operators: ["any_"] },
    block_capabilities: { column: "capabilities", kind: "tags", operators: ["all_"] },
    id: { column: "id", kind: "id", operators: ["any_"] },
    version: { column: "version", kind: "text", operators: ["any_"] },
  },
  sorts: { CREATED_DESC: ["created desc"] },
  defaultSort: "CREATED_DESC",
};

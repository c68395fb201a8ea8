import type { BlockTypeSort } from "@orchestrator/contract";
import type { ListDefinition, Relations } from "@orchestrator/kernel/lists";
import { BLOCK_TYPES } from "../../db/tables/block-types.table.ts";
import { BLOCK_SCHEMA_LIST } from "./block-schemas.filter.ts";

export const BLOCK_TYPE_LIST: ListDefinition<BlockTypeSort> = {
  table: "block_types",
  fields: BLOCK_TYPES.fields,
  filter: {
    id: { column: "id", kind: "id", operators: ["any_"] },
    name: { column: "name", kind: "text", operators: ["any_", "like_"] },
    slug: { column: "slug", kind: "text", operators: ["any_"] },
  },
  sorts: {
    NAME_ASC: ["name asc"],
    NAME_DESC: ["name desc"],
    CREATED_DESC: ["created desc"],
    UPDATED_DESC: ["updated desc"],
  },
  defaultSort: "NAME_ASC",
};

export const BLOCK_TYPE_RELATIONS: Relations = {
  block_schemas: { to: BLOCK_SCHEMA_LIST, theirColumn: "block_type_id" },
};

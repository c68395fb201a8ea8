import type { VariableSort } from "@orchestrator/contract";
import type { ListDefinition } from "@orchestrator/kernel/lists";
import { VARIABLES } from "../../db/tables/variables.table.ts";

export const VARIABLE_LIST: ListDefinition<VariableSort> = {
  table: "variables",
  fields: VARIABLES.fields,
  filter: {
    id: { column: "id", kind: "id", operators: ["any_"] },
    name: { column: "name", kind: "text", hasWildcards: true, operators: ["any_", "like_"] },
    tags: { column: "tags", kind: "tags", operators: ["all_", "any_", "is_null_"] },
  },
  sorts: {
    NAME_ASC: ["name asc"],
    NAME_DESC: ["name desc"],
    CREATED_DESC: ["created desc"],
    UPDATED_DESC: ["updated desc"],
  },
  defaultSort: "NAME_ASC",
};

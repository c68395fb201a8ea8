import type { AutomationSort } from "@orchestrator/contract";
import type { ListDefinition } from "@orchestrator/kernel/lists";
import { AUTOMATIONS } from "../../db/tables/automations.table.ts";

export const AUTOMATION_LIST: ListDefinition<AutomationSort> = {
  table: "automations",
  fields: AUTOMATIONS.fields,
  filter: {
    id: { column: "id", kind: "id", operators: ["any_"] },
    name: { column: "name", kind: "text", operators: ["any_"] },
    created: { column: "created", kind: "time", operators: ["before_"] },
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

import type { FlowSort } from "@orchestrator/contract";
import type { ListDefinition } from "@orchestrator/kernel/lists";
import { FLOWS } from "../db/tables/flows.table.ts";

export const FLOW_LIST: ListDefinition<FlowSort> = {
  table: "flows",
  fields: FLOWS.fields,
  filter: {
    id: { column: "id", kind: "id", operators: ["any_", "not_any_"] },
    deployment: {
      expression: "select 1 from deployments own where own.flow_id = $.id limit 1",
      kind: "integer",
      operators: ["is_null_"],
    },
    name: { column: "name", kind: "text", operators: ["any_", "like_"] },
    tags: { column: "tags", kind: "tags", operators: ["all_", "is_null_"] },
  },
  sorts: {
    NAME_ASC: ["name asc"],
    NAME_DESC: ["name desc"],
    CREATED_DESC: ["created desc"],
    UPDATED_DESC: ["updated desc"],
  },
  defaultSort: "NAME_ASC",
};

import type { WorkPoolSort } from "@orchestrator/contract";
import type { ListDefinition } from "@orchestrator/kernel/lists";
import { WORK_POOLS } from "../../db/tables/work-pools.table.ts";

export const WORK_POOL_LIST: ListDefinition<WorkPoolSort> = {
  table: "work_pools",
  fields: WORK_POOLS.fields,
  filter: {
    id: { column: "id", kind: "id", operators: ["any_"] },
    name: { column: "name", kind: "text", operators: ["any_"] },
    type: { column: "type", kind: "text", operators: ["any_"] },
  },
  sorts: {
    NAME_ASC: ["name asc"],
    NAME_DESC: ["name desc"],
    CREATED_DESC: ["created desc"],
    UPDATED_DESC: ["updated desc"],
  },
  defaultSort: "NAME_ASC",
};

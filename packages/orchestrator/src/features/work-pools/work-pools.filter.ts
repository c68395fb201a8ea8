import type { ListDefinition } from "@orchestrator/kernel";
import { WORK_POOL_FIELDS } from "./work-pools.table.ts";

export const WORK_POOL_LIST: ListDefinition<"NAME_ASC"> = {
  table: "work_pools",
  fields: WORK_POOL_FIELDS,
  filter: {
    id: { column: "id", kind: "id", operators: ["any_"] },
    name: { column: "name", kind: "text", operators: ["any_"] },
    type: { column: "type", kind: "text", operators: ["any_"] },
  },
  sorts: { NAME_ASC: ["name asc"] },
  defaultSort: "NAME_ASC",
};

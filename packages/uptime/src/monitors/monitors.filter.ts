import type { ListDefinition } from "@orchestrator/kernel/lists";
import { MONITOR_FIELDS } from "../db/tables/monitors.table.ts";

/** In the order in which they were made, which is also that of a check of all. */
export const MONITOR_LIST: ListDefinition<"CREATED_ASC"> = {
  table: "monitors",
  fields: MONITOR_FIELDS,
  filter: {
    tags: { column: "tags", kind: "tags", operators: ["all_"] },
    status: { column: "last_status", kind: "text", operators: ["any_"] },
    enabled: { column: "enabled", kind: "flag", operators: ["eq_"] },
    text: { expression: "$.name || ' ' || $.url", kind: "text", operators: ["like_"] },
  },
  sorts: { CREATED_ASC: ["created_at asc"] },
  defaultSort: "CREATED_ASC",
};

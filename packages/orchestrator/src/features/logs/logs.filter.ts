import type { LogSort } from "@orchestrator/contract";
import type { ListDefinition } from "@orchestrator/kernel";
import { sizesOf } from "../../filters/page-size.ts";
import { LOG_FIELDS } from "./logs.table.ts";

export const LOG_LIST: ListDefinition<LogSort> = {
  table: "logs",
  fields: LOG_FIELDS,
  filter: {
    level: { column: "level", kind: "integer", operators: ["ge_", "le_"] },
    timestamp: { column: "timestamp", kind: "time", operators: ["before_", "after_"] },
    flow_run_id: { column: "flow_run_id", kind: "id", isNarrow: true, operators: ["any_"] },
    task_run_id: {
      column: "task_run_id",
      kind: "id",
      isNarrow: true,
      operators: ["any_", "is_null_"],
    },
    // The line break keeps a phrase from beginning in the message and ending in the name.
    text: { expression: "$.message || '\n' || $.name", kind: "text", operators: ["query"] },
  },
  sorts: { TIMESTAMP_ASC: ["timestamp asc"], TIMESTAMP_DESC: ["timestamp desc"] },
  defaultSort: "TIMESTAMP_ASC",
  isVast: true,
};

export const LOG_SIZES = sizesOf(LOG_LIST, { message: "text" });

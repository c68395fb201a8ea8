import type { LogSort } from "@orchestrator/contract";
import type { IndexedTextSource, ListDefinition } from "@orchestrator/kernel/lists";
import { LOGS } from "../../db/tables/logs.table.ts";
import { sizesOf } from "../../lists/page-size.ts";

// The line break keeps a phrase from beginning in the message and ending in the name.
const TEXT = "$.message || '\n' || $.name";

/** Blocks of lines, by which words are found that few of them hold. */
export const LOG_TEXTS: IndexedTextSource = {
  name: "logs",
  table: "logs",
  time: "timestamp",
  holdsJson: false,
  rowsPerBlock: 256,
  text: () => TEXT.replaceAll("$.", ""),
  size: () => "octet_length(message)",
  mark: (marks, text) => marks.add(text),
};

export const LOG_LIST: ListDefinition<LogSort> = {
  table: "logs",
  fields: LOGS.fields,
  filter: {
    level: { column: "level", kind: "integer", indexedFrom: 30, operators: ["ge_", "le_"] },
    timestamp: { column: "timestamp", kind: "time", operators: ["before_", "after_"] },
    flow_run_id: { column: "flow_run_id", kind: "id", isNarrow: true, operators: ["any_"] },
    task_run_id: {
      column: "task_run_id",
      kind: "id",
      isNarrow: true,
      operators: ["any_", "is_null_"],
    },
    text: { expression: TEXT, kind: "text", operators: ["query"] },
  },
  sorts: { TIMESTAMP_ASC: ["timestamp asc"], TIMESTAMP_DESC: ["timestamp desc"] },
  defaultSort: "TIMESTAMP_ASC",
  isVast: true,
  textBlocks: { source: LOG_TEXTS, attribute: "text" },
};

export const LOG_SIZES = sizesOf(LOG_LIST, { message: "text" });

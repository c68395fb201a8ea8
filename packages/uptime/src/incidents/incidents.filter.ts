import type { ListDefinition } from "@orchestrator/kernel/lists";
import { INCIDENT_FIELDS } from "../db/tables/incidents.table.ts";

export const INCIDENT_LIST: ListDefinition<"STARTED_DESC"> = {
  table: "incidents",
  fields: INCIDENT_FIELDS,
  filter: {
    monitor: { column: "monitor_id", kind: "id", operators: ["any_"] },
    started: { column: "started_at", kind: "time", operators: ["after_", "before_"] },
    ended: { column: "ended_at", kind: "time", operators: ["is_null_"] },
  },
  sorts: { STARTED_DESC: ["started_at desc"] },
  defaultSort: "STARTED_DESC",
};

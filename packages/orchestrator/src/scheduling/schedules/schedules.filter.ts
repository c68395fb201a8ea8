import type { ListDefinition } from "@orchestrator/kernel/lists";
import { SCHEDULES } from "../../db/tables/deployments.table.ts";

export const SCHEDULE_LIST: ListDefinition<"UPDATED_DESC" | "MADE_ASC"> = {
  table: "deployment_schedules",
  fields: SCHEDULES.fields,
  filter: {
    id: { column: "id", kind: "id", operators: ["any_"] },
    deployment_id: { column: "deployment_id", kind: "id", operators: ["any_"] },
  },
  sorts: { UPDATED_DESC: ["updated desc", "id desc"], MADE_ASC: ["id asc"] },
  defaultSort: "UPDATED_DESC",
};

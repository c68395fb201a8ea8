import type { BackfillSort } from "@orchestrator/contract";
import type { ListDefinition } from "@orchestrator/kernel/lists";
import { BACKFILLS } from "../../db/tables/backfills.table.ts";

export const BACKFILL_LIST: ListDefinition<BackfillSort> = {
  table: "backfills",
  fields: BACKFILLS.fields,
  filter: {
    id: { column: "id", kind: "id", operators: ["any_"] },
    deployment_id: { column: "deployment_id", kind: "id", operators: ["any_"] },
    status: { column: "status", kind: "text", operators: ["any_"] },
  },
  sorts: { CREATED_DESC: ["created desc"], CREATED_ASC: ["created asc"] },
  defaultSort: "CREATED_DESC",
  isLarge: true,
};

import type { DeliverySort } from "@orchestrator/contract";
import type { ListDefinition } from "@orchestrator/kernel/lists";
import { DELIVERIES } from "../../db/tables/deliveries.table.ts";

export const DELIVERY_LIST: ListDefinition<DeliverySort> = {
  table: "deliveries",
  fields: DELIVERIES.fields,
  filter: {
    id: { column: "id", kind: "id", isNarrow: true, operators: ["any_"] },
    automation_id: { column: "automation_id", kind: "id", operators: ["any_"] },
    block_document_id: {
      column: "block_document_id",
      kind: "id",
      isRare: true,
      operators: ["any_"],
    },
    action_type: { column: "action_type", kind: "text", operators: ["any_"] },
    status: { column: "status", kind: "text", operators: ["any_"] },
    created: { column: "created", kind: "time", operators: ["before_", "after_"] },
  },
  sorts: { CREATED_DESC: ["created desc"], CREATED_ASC: ["created asc"] },
  defaultSort: "CREATED_DESC",
  slowSorts: ["CREATED_DESC", "CREATED_ASC"],
  isLarge: true,
  isVast: true,
};

import type { SlaSort } from "@orchestrator/contract";
import type { ListDefinition } from "@orchestrator/kernel/lists";
import { SLA_STATUS, SLAS } from "../../db/tables/slas.table.ts";

export const SLA_LIST: ListDefinition<SlaSort> = {
  table: "slas",
  fields: SLAS.fields,
  filter: {
    id: { column: "id", kind: "id", operators: ["any_"] },
    deployment_id: { column: "deployment_id", kind: "id", operators: ["any_"] },
    name: { column: "name", kind: "text", operators: ["any_", "like_"] },
    kind: { column: "kind", kind: "text", operators: ["any_"] },
    severity: { column: "severity", kind: "text", operators: ["any_"] },
    enabled: { column: "enabled", kind: "flag", operators: ["eq_"] },
    status: { expression: SLA_STATUS, kind: "text", operators: ["any_"] },
  },
  sorts: {
    NAME_ASC: ["name asc"],
    CREATED_DESC: ["created desc"],
    LAST_VIOLATED_DESC: ["last_violated desc"],
  },
  defaultSort: "NAME_ASC",
};

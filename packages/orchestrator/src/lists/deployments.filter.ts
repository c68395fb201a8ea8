import type { DeploymentSort } from "@orchestrator/contract";
import type { ListDefinition } from "@orchestrator/kernel/lists";
import { DEPLOYMENTS } from "../db/tables/deployments.table.ts";

export const DEPLOYMENT_LIST: ListDefinition<DeploymentSort> = {
  table: DEPLOYMENTS.name,
  fields: DEPLOYMENTS.fields,
  // `concurrency_limit` is taken from callers and restricts nothing.
  filter: {
    id: { column: "id", kind: "id", operators: ["any_", "not_any_"] },
    name: { column: "name", kind: "text", operators: ["any_", "like_"] },
    // No name holds a slash, so a text without one lies in one of the two names.
    flow_or_deployment_name: {
      expression: "select own.name || '/' || $.name from flows own where own.id = $.flow_id",
      kind: "text",
      operators: ["like_"],
    },
    flow_id: { column: "flow_id", kind: "id", operators: ["any_"] },
    paused: { column: "paused", kind: "flag", operators: ["eq_"] },
    tags: { column: "tags", kind: "tags", operators: ["all_", "any_", "is_null_"] },
    work_pool_name: {
      expression:
        "select pools.name from work_queues queues join work_pools pools on pools.id = queues.work_pool_id where queues.id = $.work_queue_id",
      kind: "text",
      operators: ["any_"],
    },
    work_queue_name: {
      through: { table: "work_queues", column: "work_queue_id" },
      column: "name",
      kind: "text",
      operators: ["any_"],
    },
  },
  sorts: {
    NAME_ASC: ["name asc"],
    NAME_DESC: ["name desc"],
    CREATED_DESC: ["created desc"],
    UPDATED_DESC: ["updated desc"],
  },
  defaultSort: "NAME_ASC",
};

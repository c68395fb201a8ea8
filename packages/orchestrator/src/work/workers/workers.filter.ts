import type { WorkerSort } from "@orchestrator/contract";
import type { ListDefinition } from "@orchestrator/kernel/lists";
import { WORKER_FIELDS } from "../../db/tables/workers.table.ts";

/** The workers of one pool: the pool's condition stands apart from those of the caller. */
export const WORKER_LIST: ListDefinition<WorkerSort> = {
  table: "workers",
  fields: WORKER_FIELDS,
  filter: {
    pool: { group: { id: { column: "work_pool_id", kind: "id", operators: ["any_"] } } },
    worker: {
      group: {
        last_heartbeat_time: {
          column: "last_heartbeat_time",
          kind: "time",
          operators: ["before_", "after_"],
        },
        status: { column: "status", kind: "text", operators: ["any_", "not_any_"] },
      },
    },
  },
  sorts: {
    LAST_HEARTBEAT_DESC: ["last_heartbeat_time desc"],
    NAME_ASC: ["name asc"],
    NAME_DESC: ["name desc"],
    CREATED_DESC: ["created desc"],
    UPDATED_DESC: ["updated desc"],
  },
  defaultSort: "LAST_HEARTBEAT_DESC",
};

import type { ListDefinition } from "@orchestrator/kernel/lists";
import { STANDALONE_QUEUE_FIELDS, WORK_QUEUES } from "../../db/tables/work-queues.table.ts";

const filter = {
  id: { column: "id", kind: "id", operators: ["any_"] },
  name: { column: "name", kind: "text", operators: ["any_", "startswith_"] },
} as const;

export const WORK_QUEUE_LIST: ListDefinition<"NAME_ASC"> = {
  table: "work_queues",
  fields: STANDALONE_QUEUE_FIELDS,
  filter,
  sorts: { NAME_ASC: ["name asc"] },
  defaultSort: "NAME_ASC",
};

/** The queues of one pool: the pool's condition stands apart from those of the caller. */
export const POOL_QUEUE_LIST: ListDefinition<"PRIORITY_ASC"> = {
  table: "work_queues",
  fields: WORK_QUEUES.fields,
  filter: {
    pool: { group: { id: { column: "work_pool_id", kind: "id", operators: ["any_"] } } },
    queue: { group: filter },
  },
  sorts: { PRIORITY_ASC: ["priority asc"] },
  defaultSort: "PRIORITY_ASC",
};

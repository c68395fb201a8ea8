import type { Filterable } from "@orchestrator/kernel/lists";

export const WORK_POOLS: Filterable = {
  table: "work_pools",
  filter: {
    id: { column: "id", kind: "id", operators: ["any_"] },
    name: { column: "name", kind: "text", operators: ["any_"] },
    type: { column: "type", kind: "text", operators: ["any_"] },
  },
};

export const WORK_QUEUES: Filterable = {
  table: "work_queues",
  filter: {
    id: { column: "id", kind: "id", operators: ["any_"] },
    name: { column: "name", kind: "text", operators: ["any_", "startswith_"] },
  },
};

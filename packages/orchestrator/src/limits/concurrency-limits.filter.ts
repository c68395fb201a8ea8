import type { ListDefinition } from "@orchestrator/kernel/lists";
import { CONCURRENCY_LIMITS } from "../db/tables/concurrency-limits.table.ts";

export const CONCURRENCY_LIMIT_LIST: ListDefinition<"NAME_ASC"> = {
  table: "concurrency_limits",
  fields: CONCURRENCY_LIMITS.fields,
  filter: {},
  sorts: { NAME_ASC: ["name asc"] },
  defaultSort: "NAME_ASC",
};

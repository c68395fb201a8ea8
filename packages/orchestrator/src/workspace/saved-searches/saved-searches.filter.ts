import type { ListDefinition } from "@orchestrator/kernel/lists";
import { SAVED_SEARCHES } from "../../db/tables/saved-searches.table.ts";

export const SAVED_SEARCH_LIST: ListDefinition = {
  table: "saved_searches",
  fields: SAVED_SEARCHES.fields,
  filter: {},
  sorts: { NAME_ASC: ["name asc"] },
  defaultSort: "NAME_ASC",
};

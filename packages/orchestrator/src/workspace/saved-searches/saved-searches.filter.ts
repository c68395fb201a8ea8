import type { ListDefinition } from "@orchestrator/kernel/lists";
import { SAVED_SEARCH_FIELDS } from "../../db/tables/saved-searches.table.ts";

export const SAVED_SEARCH_LIST: ListDefinition = {
  table: "saved_searches",
  fields: SAVED_SEARCH_FIELDS,
  filter: {},
  sorts: { NAME_ASC: ["name asc"] },
  defaultSort: "NAME_ASC",
};

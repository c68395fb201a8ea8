import { column, defineTable, type RowOf } from "@orchestrator/kernel/storage";

const { id, json, text, time } = column;

export const SAVED_SEARCHES = defineTable("saved_searches", {
  id: id(),
  created: time(),
  updated: time(),
  name: text(),
  filters: json(),
});
export type SavedSearchRow = RowOf<typeof SAVED_SEARCHES>;

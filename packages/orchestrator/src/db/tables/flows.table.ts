import { column, defineTable, type RowOf } from "@orchestrator/kernel/storage";

const { id, json, tags, text, time } = column;

export const FLOWS = defineTable("flows", {
  id: id(),
  created: time(),
  updated: time(),
  name: text(),
  tags: tags(),
  labels: json(),
});
export type FlowRow = RowOf<typeof FLOWS>;

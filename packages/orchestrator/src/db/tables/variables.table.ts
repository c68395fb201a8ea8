import { column, defineTable, type RowOf } from "@orchestrator/kernel/storage";

const { id, json, tags, text, time } = column;

export const VARIABLES = defineTable("variables", {
  id: id(),
  created: time(),
  updated: time().changeable(),
  name: text().changeable(),
  value: json().changeable(),
  tags: tags().changeable(),
});
export type VariableRow = RowOf<typeof VARIABLES>;

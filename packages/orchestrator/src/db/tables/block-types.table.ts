import { column, defineTable, type RowOf } from "@orchestrator/kernel/storage";

const { flag, id, text, time } = column;

export const BLOCK_TYPES = defineTable("block_types", {
  id: id(),
  created: time(),
  updated: time().changeable(),
  name: text(),
  slug: text(),
  logo_url: text().orNull().changeable(),
  documentation_url: text().orNull().changeable(),
  description: text().orNull().changeable(),
  code_example: text().orNull().changeable(),
  is_protected: flag(),
});
export type BlockTypeRow = RowOf<typeof BLOCK_TYPES>;

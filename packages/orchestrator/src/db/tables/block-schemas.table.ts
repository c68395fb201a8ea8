import { type ComputedField, column, defineTable, type RowOf } from "@orchestrator/kernel/storage";
import { sql } from "kysely";
import { BLOCK_TYPES } from "./block-types.table.ts";

const { id, json, tags, text, time } = column;

const BLOCK_TYPE: ComputedField = {
  kind: "json",
  expression: ({ dialect, column: of }) => {
    const record = dialect.recordJson(BLOCK_TYPES.fields, BLOCK_TYPES.name);
    return sql`select ${record} from block_types where block_types.id = ${of("block_type_id")}`;
  },
};

export const BLOCK_SCHEMAS = defineTable("block_schemas", {
  id: id(),
  created: time(),
  updated: time(),
  checksum: text(),
  fields: json(),
  block_type_id: id(),
  block_type: BLOCK_TYPE,
  capabilities: tags(),
  version: text(),
});
export type BlockSchemaRow = RowOf<typeof BLOCK_SCHEMAS>;

import type { Fields } from "@orchestrator/kernel/storage";
import { BLOCK_TYPE_FIELDS } from "./block-types.table.ts";

/** A row as it is stored: `fields` and `capabilities` are JSON text. */
export interface BlockSchemaRow {
  readonly id: string;
  readonly created: string;
  readonly updated: string;
  readonly checksum: string;
  readonly fields: string;
  readonly block_type_id: string;
  readonly capabilities: string;
  readonly version: string;
}

/** The record on the wire, in this order. */
export const BLOCK_SCHEMA_FIELDS = {
  id: "id",
  created: "time",
  updated: "time",
  checksum: "text",
  fields: "json",
  block_type_id: "id",
  block_type: {
    kind: "json",
    expression: (dialect) => {
      const record = dialect.recordJson(BLOCK_TYPE_FIELDS, "block_types");
      return `select ${record} from block_types where block_types.id = $.block_type_id`;
    },
  },
  capabilities: "tags",
  version: "text",
} as const satisfies Fields & Record<keyof BlockSchemaRow, unknown>;

import type {
  BlockSchema,
  BlockSchemaCreate,
  BlockSchemaList,
  BlockSchemaVersion,
  Static,
} from "@orchestrator/contract";
import { del, each, ensure, get, getWith, query } from "../transport/operation.ts";
import type { OptionalDefaults } from "../transport/optional-defaults.ts";

type List = OptionalDefaults<Static<typeof BlockSchemaList>>;

export const blockSchemas = {
  /** Creates a schema, or finds the one that has the checksum. */
  create: ensure<(schema: BlockSchemaCreate) => BlockSchema>("/block_schemas/"),
  read: get<(id: string) => BlockSchema>("/block_schemas/{id}"),
  readByChecksum: getWith<
    (checksum: string, query?: Static<typeof BlockSchemaVersion>) => BlockSchema
  >("/block_schemas/checksum/{checksum}"),
  delete: del<(id: string) => void>("/block_schemas/{id}"),
  list: query<(filter?: List) => BlockSchema[]>("/block_schemas/filter"),
  each: each<(filter?: List) => BlockSchema>("/block_schemas/filter"),
  listCapabilities: get<() => string[]>("/block_capabilities/"),
};

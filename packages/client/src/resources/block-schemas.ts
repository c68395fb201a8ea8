import type {
  BlockSchema,
  BlockSchemaCreate,
  BlockSchemaList,
  BlockSchemaVersion,
  Static,
} from "@orchestrator/contract";
import type { Given } from "../transport/given.ts";
import { each, ensure, get, getWith, query, remove } from "../transport/operation.ts";

type List = Given<Static<typeof BlockSchemaList>>;

export const blockSchemas = {
  /** Creates a schema, or finds the one that has the checksum. */
  create: ensure<(schema: BlockSchemaCreate) => BlockSchema>("/block_schemas/"),
  read: get<(id: string) => BlockSchema>("/block_schemas/{id}"),
  readByChecksum: getWith<
    (checksum: string, query?: Static<typeof BlockSchemaVersion>) => BlockSchema
  >("/block_schemas/checksum/{checksum}"),
  delete: remove<(id: string) => void>("/block_schemas/{id}"),
  list: query<(filter?: List) => BlockSchema[]>("/block_schemas/filter"),
  each: each<(filter?: List) => BlockSchema>("/block_schemas/filter"),
  listCapabilities: get<() => string[]>("/block_capabilities/"),
};

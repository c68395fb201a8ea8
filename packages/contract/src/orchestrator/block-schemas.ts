import { type Static, Type } from "typebox";
import {
  FilterModel,
  JsonObject,
  Limit,
  Model,
  NamedParameters,
  Nullable,
  Offset,
  StringEnum,
  Timestamp,
  Uuid,
} from "../schema/index.ts";
import { BLOCK_TYPE_SORTS, BlockType, BlockTypeFilter } from "./block-types.ts";

/** What a schema is called whose author gave it no version. */
export const UNVERSIONED = "non-versioned";

const Fields = JsonObject({
  description:
    "A JSON schema of the block's data, with its secrets (`secret_fields`) and the blocks within it (`block_schema_references`, `definitions`).",
});
const Capabilities = Type.Array(Type.String({ maxLength: 255 }), { maxItems: 100 });
const Version = Type.String({ maxLength: 255 });

export const BlockSchema = Model(
  {
    id: Uuid(),
    created: Timestamp(),
    updated: Timestamp(),
    checksum: Type.String(),
    fields: Fields,
    block_type_id: Uuid(),
    block_type: Nullable(BlockType),
    capabilities: Capabilities,
    version: Version,
  },
  { $id: "BlockSchema" },
);
export type BlockSchema = Static<typeof BlockSchema>;

export const BlockSchemaCreate = Model(
  {
    fields: Type.Optional(Fields),
    block_type_id: Uuid(),
    capabilities: Type.Optional(Capabilities),
    version: Type.Optional(Version),
  },
  { $id: "BlockSchemaCreate" },
);
export type BlockSchemaCreate = Static<typeof BlockSchemaCreate>;

export const BlockSchemaId = Type.Object({ id: Uuid() });
export const BlockSchemaChecksum = Type.Object({ checksum: Type.String() });
export const BlockSchemaVersion = NamedParameters({ version: Type.Optional(Type.String()) });

export const BlockSchemaFilter = FilterModel(
  {
    block_type_id: { any_: Type.Array(Uuid()) },
    block_capabilities: { all_: Type.Array(Type.String()) },
    id: { any_: Type.Array(Uuid()) },
    version: { any_: Type.Array(Type.String()) },
  },
  { $id: "BlockSchemaFilter" },
);

export const BlockSchemaList = NamedParameters(
  { block_schemas: Type.Optional(BlockSchemaFilter), limit: Limit(), offset: Offset() },
  { ownFilter: "block_schemas" },
);

export const BlockTypeList = NamedParameters(
  {
    block_types: Type.Optional(BlockTypeFilter),
    block_schemas: Type.Optional(BlockSchemaFilter),
    sort: Type.Optional(StringEnum(BLOCK_TYPE_SORTS)),
    limit: Limit(),
    offset: Offset(),
  },
  { ownFilter: "block_types" },
);

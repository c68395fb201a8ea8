import { type Static, Type } from "typebox";
import {
  FilterModel,
  Flag,
  JsonObject,
  Limit,
  LONG,
  Model,
  NamedParameters,
  Nullable,
  Offset,
  Slug,
  StringEnum,
  Timestamp,
  Uuid,
} from "../schema/index.ts";
import { BlockSchema, BlockSchemaFilter } from "./block-schemas.ts";
import { BlockType, BlockTypeFilter } from "./block-types.ts";

const SENT =
  'The values of the block. `{"$ref": {"block_document_id": …}}` puts another block document in that place.';

export const BlockDocument = Model(
  {
    id: Uuid(),
    created: Timestamp(),
    updated: Timestamp(),
    name: Slug(LONG),
    data: JsonObject({
      description:
        "The values of the block, those of the blocks within it included; secrets are masked unless they were asked for.",
    }),
    block_schema_id: Uuid(),
    block_schema: Nullable(BlockSchema),
    block_type_id: Uuid(),
    block_type_name: Nullable(Type.String()),
    block_type: Nullable(BlockType),
    block_document_references: Type.Record(Type.String(), JsonObject(), {
      description: "Which of the values are block documents of their own.",
    }),
    is_anonymous: Type.Boolean(),
  },
  { $id: "BlockDocument" },
);
export type BlockDocument = Static<typeof BlockDocument>;

export const BlockDocumentCreate = Model(
  {
    name: Type.Optional(Nullable(Slug(LONG), { description: "Only anonymous ones need none." })),
    data: Type.Optional(JsonObject({ description: SENT })),
    block_schema_id: Type.Optional(
      Nullable(Uuid(), { description: "The newest schema of the type when left out" }),
    ),
    block_type_id: Uuid(),
    is_anonymous: Type.Optional(Flag()),
  },
  { $id: "BlockDocumentCreate", secret: true },
);
export type BlockDocumentCreate = Static<typeof BlockDocumentCreate>;

/** Only the keys that are present change anything. */
export const BlockDocumentUpdate = Model(
  {
    block_schema_id: Type.Optional(Nullable(Uuid())),
    data: Type.Optional(
      JsonObject({
        description: `${SENT} A secret that is sent back as it was shown, masked, stays as it is.`,
      }),
    ),
    merge_existing_data: Type.Optional(
      Flag({ description: "Keeps the values that are not given; true when left out" }),
    ),
  },
  { $id: "BlockDocumentUpdate", secret: true },
);
export type BlockDocumentUpdate = Static<typeof BlockDocumentUpdate>;

export const BlockDocumentId = Type.Object({ id: Uuid() });
export const BlockDocumentPlace = Type.Object({ slug: Type.String(), name: Type.String() });

const IncludeSecrets = Flag({ default: false, description: "Whether secrets are shown" });
export const BlockDocumentSecrets = NamedParameters({ include_secrets: IncludeSecrets });

const IncludeData = Type.Optional(
  Flag({
    description:
      "Where it is false, `data` and `block_document_references` are empty: for lists that show no values",
  }),
);

export const BlockDocumentsOfType = NamedParameters({
  include_secrets: IncludeSecrets,
  include_data: IncludeData,
  limit: Limit(1000),
  offset: Offset(),
});

export const BlockDocumentFilter = FilterModel(
  {
    id: { any_: Type.Array(Uuid()) },
    is_anonymous: { eq_: Flag() },
    block_type_id: { any_: Type.Array(Uuid()) },
    name: { any_: Type.Array(Type.String()), like_: Type.String() },
  },
  {
    $id: "BlockDocumentFilter",
    description:
      "Anonymous documents are left out unless `is_anonymous` is named; null stands for both.",
  },
);
export type BlockDocumentFilter = Static<typeof BlockDocumentFilter>;

export const BLOCK_DOCUMENT_SORTS = [
  "NAME_ASC",
  "NAME_DESC",
  "BLOCK_TYPE_AND_NAME_ASC",
  "CREATED_DESC",
  "UPDATED_DESC",
] as const;
export type BlockDocumentSort = (typeof BLOCK_DOCUMENT_SORTS)[number];

const which = {
  block_documents: Type.Optional(BlockDocumentFilter),
  block_types: Type.Optional(BlockTypeFilter),
  block_schemas: Type.Optional(BlockSchemaFilter),
};

export const BlockDocumentCount = NamedParameters(which, { ownFilter: "block_documents" });

export const BlockDocumentList = NamedParameters(
  {
    ...which,
    include_secrets: IncludeSecrets,
    include_data: IncludeData,
    sort: Type.Optional(StringEnum(BLOCK_DOCUMENT_SORTS)),
    limit: Limit(),
    offset: Offset(),
  },
  { ownFilter: "block_documents" },
);

export const StorageDefault = Model(
  {
    default_result_storage_block_id: Nullable(Uuid(), {
      description: "The block document that keeps results where nothing else is said",
    }),
  },
  { $id: "StorageDefault" },
);
export type StorageDefault = Static<typeof StorageDefault>;

export const StorageDefaultUpdate = NamedParameters(
  { default_result_storage_block_id: Uuid() },
  { $id: "StorageDefaultUpdate" },
);

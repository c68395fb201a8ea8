import { type Static, Type } from "typebox";
import { FilterModel, Model, Name, Nullable, Slug, Timestamp, Uuid } from "../schema/index.ts";

const Url = Nullable(Type.String({ maxLength: 2048 }));
const Text = Nullable(Type.String({ maxLength: 100_000 }));

const texts = {
  logo_url: Type.Optional(Url),
  documentation_url: Type.Optional(Url),
  description: Type.Optional(Text),
  code_example: Type.Optional(Text),
};

export const BlockType = Model(
  {
    id: Uuid(),
    created: Timestamp(),
    updated: Timestamp(),
    name: Name(),
    slug: Slug(),
    logo_url: Url,
    documentation_url: Url,
    description: Text,
    code_example: Text,
    is_protected: Type.Boolean({ description: "It came with the server and cannot be deleted." }),
  },
  { $id: "BlockType" },
);
export type BlockType = Static<typeof BlockType>;

export const BlockTypeCreate = Model(
  { name: Name(), slug: Slug({ minLength: 1 }), ...texts },
  { $id: "BlockTypeCreate" },
);
export type BlockTypeCreate = Static<typeof BlockTypeCreate>;

/** Only the keys that are present change anything. */
export const BlockTypeUpdate = Model(texts, { $id: "BlockTypeUpdate" });
export type BlockTypeUpdate = Static<typeof BlockTypeUpdate>;

export const BlockTypeId = Type.Object({ id: Uuid() });
export const BlockTypeSlug = Type.Object({ slug: Type.String() });

export const BlockTypeFilter = FilterModel(
  {
    id: { any_: Type.Array(Uuid()) },
    name: { any_: Type.Array(Type.String()), like_: Type.String() },
    slug: { any_: Type.Array(Type.String()) },
  },
  { $id: "BlockTypeFilter" },
);

export const BLOCK_TYPE_SORTS = ["NAME_ASC", "NAME_DESC", "CREATED_DESC", "UPDATED_DESC"] as const;
export type BlockTypeSort = (typeof BLOCK_TYPE_SORTS)[number];

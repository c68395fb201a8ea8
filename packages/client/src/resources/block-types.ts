import type {
  BlockType,
  BlockTypeCreate,
  BlockTypeList,
  BlockTypeUpdate,
  Static,
} from "@orchestrator/contract";
import { del, each, get, patch, post, query, trigger } from "../transport/operation.ts";
import type { OptionalDefaults } from "../transport/optional-defaults.ts";

type List = OptionalDefaults<Static<typeof BlockTypeList>>;

export const blockTypes = {
  create: post<(type: BlockTypeCreate) => BlockType>("/block_types/"),
  read: get<(id: string) => BlockType>("/block_types/{id}"),
  readBySlug: get<(slug: string) => BlockType>("/block_types/slug/{slug}"),
  update: patch<(id: string, changes: BlockTypeUpdate) => void>("/block_types/{id}"),
  delete: del<(id: string) => void>("/block_types/{id}"),
  list: query<(filter?: List) => BlockType[]>("/block_types/filter"),
  each: each<(filter?: List) => BlockType>("/block_types/filter"),
  /** Makes sure that the types the server brings along are there. */
  installSystemTypes: trigger<() => void>("/block_types/install_system_block_types"),
};

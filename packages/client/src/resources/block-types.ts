import type {
  BlockType,
  BlockTypeCreate,
  BlockTypeList,
  BlockTypeUpdate,
  Static,
} from "@orchestrator/contract";
import type { Given } from "../transport/given.ts";
import { each, get, patch, post, query, remove, trigger } from "../transport/operation.ts";

type List = Given<Static<typeof BlockTypeList>>;

export const blockTypes = {
  create: post<(type: BlockTypeCreate) => BlockType>("/block_types/"),
  read: get<(id: string) => BlockType>("/block_types/{id}"),
  readBySlug: get<(slug: string) => BlockType>("/block_types/slug/{slug}"),
  update: patch<(id: string, changes: BlockTypeUpdate) => void>("/block_types/{id}"),
  delete: remove<(id: string) => void>("/block_types/{id}"),
  list: query<(filter?: List) => BlockType[]>("/block_types/filter"),
  each: each<(filter?: List) => BlockType>("/block_types/filter"),
  /** Makes sure that the types the server brings along are there. */
  installSystemTypes: trigger<() => void>("/block_types/install_system_block_types"),
};

import type {
  BlockDocument,
  BlockDocumentCount,
  BlockDocumentCreate,
  BlockDocumentList,
  BlockDocumentSecrets,
  BlockDocumentsOfType,
  BlockDocumentUpdate,
  Static,
  StorageDefault,
  StorageDefaultUpdate,
} from "@orchestrator/contract";
import {
  del,
  each,
  eachGot,
  get,
  getWith,
  patch,
  post,
  put,
  query,
} from "../transport/operation.ts";
import type { OptionalDefaults } from "../transport/optional-defaults.ts";

type List = OptionalDefaults<Static<typeof BlockDocumentList>>;
type OfType = OptionalDefaults<Static<typeof BlockDocumentsOfType>>;
type Secrets = OptionalDefaults<Static<typeof BlockDocumentSecrets>>;

const MAX_OF_TYPE = 1000;

export const blockDocuments = {
  create: post<(document: BlockDocumentCreate) => BlockDocument>("/block_documents/"),
  /** Secrets are masked unless they are asked for. */
  read: getWith<(id: string, query?: Secrets) => BlockDocument>("/block_documents/{id}"),
  readByName: getWith<(typeSlug: string, name: string, query?: Secrets) => BlockDocument>(
    "/block_types/slug/{slug}/block_documents/name/{name}",
  ),
  update: patch<(id: string, changes: BlockDocumentUpdate) => void>("/block_documents/{id}"),
  delete: del<(id: string) => void>("/block_documents/{id}"),
  list: query<(filter?: List) => BlockDocument[]>("/block_documents/filter"),
  each: each<(filter?: List) => BlockDocument>("/block_documents/filter"),
  count: query<(filter?: Static<typeof BlockDocumentCount>) => number>("/block_documents/count"),
  listOfType: getWith<(typeSlug: string, query?: OfType) => BlockDocument[]>(
    "/block_types/slug/{slug}/block_documents",
  ),
  eachOfType: eachGot<(typeSlug: string, query?: OfType) => BlockDocument>(
    "/block_types/slug/{slug}/block_documents",
    MAX_OF_TYPE,
  ),
};

/** Which block document keeps results where nothing else is said. */
export const storageDefault = {
  read: get<() => StorageDefault>("/admin/storage"),
  set: put<(storage: Static<typeof StorageDefaultUpdate>) => StorageDefault>("/admin/storage"),
  unset: del<() => void>("/admin/storage"),
};

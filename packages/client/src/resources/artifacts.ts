import type {
  Artifact,
  ArtifactCollection,
  ArtifactCount,
  ArtifactCreate,
  ArtifactList,
  ArtifactUpdate,
  LatestArtifactCount,
  LatestArtifactList,
  Static,
} from "@orchestrator/contract";
import type { Given } from "../transport/given.ts";
import { each, get, patch, post, query, remove } from "../transport/operation.ts";

type List = Given<Static<typeof ArtifactList>>;
type LatestList = Given<Static<typeof LatestArtifactList>>;

export const artifacts = {
  create: post<(artifact: ArtifactCreate) => Artifact>("/artifacts/"),
  read: get<(id: string) => Artifact>("/artifacts/{id}"),
  /** The newest artifact of a key. */
  readLatest: get<(key: string) => ArtifactCollection>("/artifacts/{key}/latest"),
  update: patch<(id: string, changes: ArtifactUpdate) => void>("/artifacts/{id}"),
  delete: remove<(id: string) => void>("/artifacts/{id}"),
  list: query<(filter?: List) => Artifact[]>("/artifacts/filter"),
  each: each<(filter?: List) => Artifact>("/artifacts/filter"),
  count: query<(filter?: Static<typeof ArtifactCount>) => number>("/artifacts/count"),
  /** The newest artifact of each key. */
  listLatest: query<(filter?: LatestList) => ArtifactCollection[]>("/artifacts/latest/filter"),
  eachLatest: each<(filter?: LatestList) => ArtifactCollection>("/artifacts/latest/filter"),
  countLatest:
    query<(filter?: Static<typeof LatestArtifactCount>) => number>("/artifacts/latest/count"),
};

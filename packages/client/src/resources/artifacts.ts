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
import { del, each, get, patch, post, query } from "../transport/operation.ts";
import type { OptionalDefaults } from "../transport/optional-defaults.ts";

type List = OptionalDefaults<Static<typeof ArtifactList>>;
type LatestList = OptionalDefaults<Static<typeof LatestArtifactList>>;

export const artifacts = {
  create: post<(artifact: ArtifactCreate) => Artifact>("/artifacts/"),
  read: get<(id: string) => Artifact>("/artifacts/{id}"),
  /** The newest artifact of a key. */
  readLatest: get<(key: string) => ArtifactCollection>("/artifacts/{key}/latest"),
  update: patch<(id: string, changes: ArtifactUpdate) => void>("/artifacts/{id}"),
  delete: del<(id: string) => void>("/artifacts/{id}"),
  list: query<(filter?: List) => Artifact[]>("/artifacts/filter"),
  each: each<(filter?: List) => Artifact>("/artifacts/filter"),
  count: query<(filter?: Static<typeof ArtifactCount>) => number>("/artifacts/count"),
  /** The newest artifact of each key. */
  listLatest: query<(filter?: LatestList) => ArtifactCollection[]>("/artifacts/latest/filter"),
  eachLatest: each<(filter?: LatestList) => ArtifactCollection>("/artifacts/latest/filter"),
  countLatest:
    query<(filter?: Static<typeof LatestArtifactCount>) => number>("/artifacts/latest/count"),
};

import { column, defineTable, type RowOf } from "@orchestrator/kernel/storage";

const { id, json, text, time } = column;

/** Changeable is the content. */
export const ARTIFACTS = defineTable("artifacts", {
  id: id(),
  created: time(),
  updated: time().changeable(),
  key: text().orNull(),
  type: text().orNull(),
  description: text().orNull().changeable(),
  data: json().orNull().changeable(),
  metadata_: json().orNull().changeable(),
  flow_run_id: id().orNull(),
  task_run_id: id().orNull(),
});
export type ArtifactRow = RowOf<typeof ARTIFACTS>;

/** All artifacts of one key, and which of them is the newest. */
export const ARTIFACT_COLLECTIONS = defineTable("artifact_collections", {
  id: id(),
  created: time(),
  updated: time(),
  key: text(),
  latest_id: id(),
});
export type ArtifactCollectionRow = RowOf<typeof ARTIFACT_COLLECTIONS>;

/** A row of the view of collections with the content of their newest artifact. */
export type LatestArtifactRow = ArtifactCollectionRow &
  Omit<ArtifactRow, keyof ArtifactCollectionRow>;

export const LATEST_ARTIFACT_FIELDS = { ...ARTIFACT_COLLECTIONS.fields, ...ARTIFACTS.fields };

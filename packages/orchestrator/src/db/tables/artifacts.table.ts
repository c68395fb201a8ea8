import type { Fields } from "@orchestrator/kernel/storage";

/** A row as it is stored: `data` and `metadata_` are JSON text. */
export interface ArtifactRow {
  readonly id: string;
  readonly created: string;
  readonly updated: string;
  readonly key: string | null;
  readonly type: string | null;
  readonly description: string | null;
  readonly data: string | null;
  readonly metadata_: string | null;
  readonly flow_run_id: string | null;
  readonly task_run_id: string | null;
}

/** All artifacts of one key, and which of them is the newest. */
export interface ArtifactCollectionRow {
  readonly id: string;
  readonly created: string;
  readonly updated: string;
  readonly key: string;
  readonly latest_id: string;
}

/** A collection with the content of its newest artifact. */
export type LatestArtifactRow = ArtifactCollectionRow &
  Omit<ArtifactRow, keyof ArtifactCollectionRow>;

/** The record on the wire, in this order. */
export const ARTIFACT_FIELDS = {
  id: "id",
  created: "time",
  updated: "time",
  key: "text",
  type: "text",
  description: "text",
  data: "json",
  metadata_: "json",
  flow_run_id: "id",
  task_run_id: "id",
} as const satisfies Fields & Record<keyof ArtifactRow, unknown>;

/** The record on the wire, in this order. */
export const LATEST_ARTIFACT_FIELDS = {
  id: "id",
  created: "time",
  updated: "time",
  key: "text",
  latest_id: "id",
  type: "text",
  description: "text",
  data: "json",
  metadata_: "json",
  flow_run_id: "id",
  task_run_id: "id",
} as const satisfies Fields & Record<keyof LatestArtifactRow, unknown>;

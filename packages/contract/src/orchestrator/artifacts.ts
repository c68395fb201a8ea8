import { type Static, Type } from "typebox";
import {
  FilterModel,
  Flag,
  JsonValue,
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
import { DeploymentFilter } from "./deployments.ts";
import { FlowRunFilter } from "./flow-runs.ts";
import { FlowFilter } from "./flows.ts";
import { TaskRunFilter } from "./task-runs.ts";

const MAX_METADATA = 1000;
const MAX_DESCRIPTION = 1_000_000;
const MAX_DATA = 8 * 1024 * 1024;

const Key = Slug({
  ...LONG,
  minLength: 1,
  description: "Artifacts with one key are versions of one thing; the newest is its latest.",
  examples: ["daily-report"],
});
const Kind = Type.String({
  maxLength: 255,
  description: "What the data is: `markdown`, `table`, `link`, `progress`, `image`, `result`, …",
});
const Description = Type.String({ maxLength: MAX_DESCRIPTION, description: "Markdown." });
const Data = JsonValue({ maxJsonLength: MAX_DATA });
const Metadata = Type.Unsafe<Readonly<Record<string, string>>>({
  type: "object",
  additionalProperties: { type: "string" },
  maxProperties: MAX_METADATA,
  description: "Texts by name; long ones are cut.",
});

const content = {
  type: Nullable(Kind),
  description: Nullable(Description),
  data: JsonValue(),
  metadata_: Nullable(Metadata),
  flow_run_id: Nullable(Uuid()),
  task_run_id: Nullable(Uuid()),
};

export const Artifact = Model(
  {
    id: Uuid(),
    created: Timestamp(),
    updated: Timestamp(),
    key: Nullable(Key),
    ...content,
  },
  { $id: "Artifact" },
);
export type Artifact = Static<typeof Artifact>;

export const ArtifactCollection = Model(
  {
    id: Uuid(),
    created: Timestamp(),
    updated: Timestamp(),
    key: Key,
    latest_id: Uuid({ description: "The newest artifact with this key, whose content this is." }),
    ...content,
  },
  { $id: "ArtifactCollection" },
);
export type ArtifactCollection = Static<typeof ArtifactCollection>;

export const ArtifactCreate = Model(
  {
    key: Type.Optional(Nullable(Key)),
    type: Type.Optional(Nullable(Kind)),
    description: Type.Optional(Nullable(Description)),
    data: Type.Optional(Data),
    metadata_: Type.Optional(Nullable(Metadata)),
    flow_run_id: Type.Optional(Nullable(Uuid())),
    task_run_id: Type.Optional(Nullable(Uuid())),
  },
  { $id: "ArtifactCreate" },
);
export type ArtifactCreate = Static<typeof ArtifactCreate>;

/** Only the keys that are present change anything. */
export const ArtifactUpdate = Model(
  {
    description: Type.Optional(Nullable(Description)),
    data: Type.Optional(Data),
    metadata_: Type.Optional(Nullable(Metadata)),
  },
  { $id: "ArtifactUpdate" },
);
export type ArtifactUpdate = Static<typeof ArtifactUpdate>;

export const ArtifactKey = Type.Object({ key: Type.String() });

const conditions = {
  key: { any_: Type.Array(Type.String()), like_: Type.String(), exists_: Flag() },
  flow_run_id: { any_: Type.Array(Uuid()) },
  task_run_id: { any_: Type.Array(Uuid()) },
  type: { any_: Type.Array(Type.String()), not_any_: Type.Array(Type.String()) },
};

export const ArtifactFilter = FilterModel(
  { id: { any_: Type.Array(Uuid()) }, ...conditions },
  { $id: "ArtifactFilter" },
);

export const ArtifactCollectionFilter = FilterModel(
  { latest_id: { any_: Type.Array(Uuid()) }, ...conditions },
  { $id: "ArtifactCollectionFilter" },
);

const ARTIFACT_SORTS = ["ID_DESC", "CREATED_DESC", "UPDATED_DESC", "KEY_ASC", "KEY_DESC"] as const;
export type ArtifactSort = (typeof ARTIFACT_SORTS)[number];

/** Conditions on the resources around an artifact. */
const related = {
  flows: Type.Optional(FlowFilter),
  flow_runs: Type.Optional(FlowRunFilter),
  task_runs: Type.Optional(TaskRunFilter),
  deployments: Type.Optional(DeploymentFilter),
};
const page = {
  include_data: Type.Optional(
    Flag({ description: "Where it is false, `data` is null: for lists of large artifacts" }),
  ),
  sort: Type.Optional(StringEnum(ARTIFACT_SORTS)),
  limit: Limit(),
  offset: Offset(),
};
const own = { artifacts: Type.Optional(ArtifactFilter), ...related };
const latest = { artifacts: Type.Optional(ArtifactCollectionFilter), ...related };

export const ArtifactCount = NamedParameters(own, { ownFilter: "artifacts" });
export const ArtifactList = NamedParameters({ ...own, ...page }, { ownFilter: "artifacts" });
export const LatestArtifactCount = NamedParameters(latest, { ownFilter: "artifacts" });
export const LatestArtifactList = NamedParameters(
  { ...latest, ...page },
  { ownFilter: "artifacts" },
);

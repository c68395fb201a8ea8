import { type Static, Type } from "typebox";
import {
  FilterModel,
  Flag,
  Int,
  JsonObject,
  LONG,
  Model,
  Nullable,
  StringEnum,
  Timestamp,
  Uuid,
} from "../schema/index.ts";
import { CreatedBy, Labels, Parameters, recordFields, Tags } from "./common.ts";
import { KEY_TEMPLATE, SlotKey } from "./concurrency-limits.ts";
import {
  DeploymentSchedule,
  DeploymentScheduleCreates,
  DeploymentScheduleUpdates,
  Schedule,
} from "./schedules.ts";

const MAX_TEXT = 1000;
const MAX_LONG_TEXT = 10_000;
const MAX_DESCRIPTION = 1_000_000;
const MAX_PULL_STEPS = 1000;
const MIN_GRACE_SECONDS = 60;
const MAX_GRACE_SECONDS = 86_400;

const text = (maxLength = MAX_TEXT) => Type.Optional(Nullable(Type.String({ maxLength })));
const uuid = () => Type.Optional(Nullable(Uuid()));

const PullSteps = Type.Array(JsonObject(), { maxItems: MAX_PULL_STEPS });

export const COLLISION_STRATEGIES = ["ENQUEUE", "CANCEL_NEW"] as const;

/**
 * What happens to a run for which no slot is free. Options that are not known are let go, as newer
 * clients may send them.
 */
export const ConcurrencyOptions = Type.Object(
  {
    collision_strategy: StringEnum(COLLISION_STRATEGIES),
    grace_period_seconds: Type.Optional(
      Nullable(Int({ minimum: MIN_GRACE_SECONDS, maximum: MAX_GRACE_SECONDS })),
    ),
  },
  { $id: "ConcurrencyOptions" },
);
export type ConcurrencyOptions = Static<typeof ConcurrencyOptions>;

/** What happens when a run finds no free slot. */
export const ON_COLLISION = ["queue", "skip", "cancel-running", "replace-queued"] as const;
export type OnCollision = (typeof ON_COLLISION)[number];

/** The limit of a deployment as it stands now. */
export const DeploymentLimit = Model(
  {
    ...recordFields,
    active: Type.Boolean(),
    name: Type.String(),
    limit: Type.Integer(),
    active_slots: Type.Integer(),
    slot_decay_per_second: Type.Number(),
    key: Nullable(SlotKey),
  },
  { $id: "DeploymentLimit" },
);

export const DEPLOYMENT_STATUSES = ["READY", "NOT_READY"] as const;

export const Deployment = Model(
  {
    ...recordFields,
    name: Type.String(),
    version: Nullable(Type.String()),
    description: Nullable(Type.String()),
    flow_id: Uuid(),
    paused: Type.Boolean(),
    schedule: Nullable(Schedule),
    schedules: Type.Array(DeploymentSchedule),
    concurrency_limit: Nullable(Type.Integer()),
    global_concurrency_limit: Nullable(DeploymentLimit),
    concurrency_options: Nullable(ConcurrencyOptions),
    on_collision: Nullable(StringEnum(ON_COLLISION)),
    job_variables: JsonObject(),
    parameters: Parameters,
    tags: Tags,
    labels: Labels,
    work_queue_name: Nullable(Type.String()),
    work_queue_id: Nullable(Uuid()),
    last_polled: Nullable(Timestamp()),
    parameter_openapi_schema: Nullable(JsonObject()),
    path: Nullable(Type.String()),
    pull_steps: Nullable(PullSteps),
    entrypoint: Nullable(Type.String()),
    storage_document_id: Nullable(Uuid()),
    infrastructure_document_id: Nullable(Uuid()),
    created_by: Nullable(CreatedBy),
    updated_by: Nullable(CreatedBy),
    work_pool_name: Nullable(Type.String()),
    status: StringEnum(DEPLOYMENT_STATUSES),
    enforce_parameter_schema: Type.Boolean(),
  },
  { $id: "Deployment" },
);
export type Deployment = Static<typeof Deployment>;

/** What both a new and a changed deployment may be given. */
const changeable = {
  version: text(MAX_LONG_TEXT),
  description: Type.Optional(Nullable(Type.String({ maxLength: MAX_DESCRIPTION }))),
  paused: Type.Optional(Nullable(Flag())),
  concurrency_limit: Type.Optional(Nullable(Int({ exclusiveMinimum: 0 }))),
  concurrency_options: Type.Optional(Nullable(ConcurrencyOptions)),
  concurrency_key: Type.Optional(
    Nullable(Type.String(KEY_TEMPLATE), {
      description:
        "The limit has all its slots for each value of this template, such as `{{ parameters.customer }}`",
    }),
  ),
  on_collision: Type.Optional(
    Nullable(StringEnum(ON_COLLISION), {
      description: "What happens when a run finds no free slot; sets the collision_strategy, too",
    }),
  ),
  global_concurrency_limit_id: uuid(),
  enforce_parameter_schema: Type.Optional(Nullable(Flag())),
  parameter_openapi_schema: Type.Optional(Nullable(JsonObject())),
  parameters: Type.Optional(Nullable(Parameters)),
  tags: Type.Optional(Nullable(Tags)),
  pull_steps: Type.Optional(Nullable(PullSteps)),
  work_queue_name: text(),
  work_pool_name: text(),
  storage_document_id: uuid(),
  infrastructure_document_id: uuid(),
  path: text(MAX_LONG_TEXT),
  entrypoint: text(MAX_LONG_TEXT),
  job_variables: Type.Optional(Nullable(JsonObject())),
  labels: Type.Optional(Nullable(Labels)),
  // The hosted product keeps versions and branches; its clients send these keys, and they are taken
  // and let go.
  version_info: Type.Optional(Nullable(JsonObject())),
  branch: text(MAX_LONG_TEXT),
  base: uuid(),
  root: uuid(),
} as const;

export const DeploymentCreate = Model(
  {
    name: Type.String({ ...LONG, pattern: "^[^/%&><]*$" }),
    flow_id: Uuid(),
    ...changeable,
    schedule: Type.Optional(Nullable(Schedule)),
    schedules: Type.Optional(Nullable(DeploymentScheduleCreates)),
  },
  { $id: "DeploymentCreate" },
);
export type DeploymentCreate = Static<typeof DeploymentCreate>;

export const DeploymentUpdate = Model(
  {
    ...changeable,
    schedule: Type.Optional(Nullable(Schedule)),
    schedules: Type.Optional(Nullable(DeploymentScheduleUpdates)),
  },
  { $id: "DeploymentUpdate" },
);
export type DeploymentUpdate = Static<typeof DeploymentUpdate>;

const ids = () => Type.Array(Uuid());
const texts = () => Type.Array(Type.String());

export const DeploymentFilter = FilterModel(
  {
    id: { any_: ids(), not_any_: ids() },
    name: { any_: texts(), like_: Type.String() },
    flow_or_deployment_name: { like_: Type.String() },
    flow_id: { any_: ids() },
    paused: { eq_: Flag() },
    tags: { all_: texts(), any_: texts(), is_null_: Flag() },
    work_pool_name: { any_: texts() },
    work_queue_name: { any_: texts() },
    concurrency_limit: { ge_: Int(), le_: Int(), is_null_: Flag() },
  },
  { $id: "DeploymentFilter" },
);

export const DEPLOYMENT_SORTS = ["NAME_ASC", "NAME_DESC", "CREATED_DESC", "UPDATED_DESC"] as const;
export type DeploymentSort = (typeof DEPLOYMENT_SORTS)[number];

import { type Static, Type } from "typebox";
import {
  FilterModel,
  Flag,
  Int,
  JsonObject,
  Limit,
  LONG,
  Model,
  Nullable,
  Num,
  Slug,
  StringEnum,
  Timestamp,
  Uuid,
} from "../schema/index.ts";
import { CreatedBy, Labels, Parameters, recordFields, StateType, Tags } from "./common.ts";
import { ORCHESTRATION_STATUSES, State, StateCreate } from "./states.ts";

const MAX_TEXT = 1000;
const MAX_LONG_TEXT = 10_000;
const MAX_PAUSE_KEYS = 1000;
const MAX_PRIORITY = 1000;

const text = (maxLength = MAX_TEXT) => Type.Optional(Nullable(Type.String({ maxLength })));
// Refused, a run would stay as it is.
const cutText = (description: string) => Type.Optional(Nullable(Type.String({ description })));
const name = () =>
  cutText("Of one that has more than 1,000 characters or 2,500 bytes the middle is left out.");
const version = () =>
  cutText("One of more than 2,500 bytes is kept as its beginning and a digest.");
const uuid = () => Type.Optional(Nullable(Uuid()));

const priority = () =>
  Type.Optional(
    Nullable(
      Int({
        minimum: -MAX_PRIORITY,
        maximum: MAX_PRIORITY,
        description: "Of the runs that wait in a queue the higher goes first; 0 unless given",
      }),
    ),
  );

export const RETRY_TYPES = ["in_process", "reschedule"] as const;

/** How a run retries and where it was paused. */
export const FlowRunPolicy = Type.Object(
  {
    max_retries: Type.Optional(Int({ default: 0, minimum: 0 })),
    retry_delay_seconds: Type.Optional(Num({ default: 0, minimum: 0 })),
    // Below zero is never, to clients that check nothing.
    retries: Type.Optional(Nullable(Int())),
    retry_delay: Type.Optional(Nullable(Int())),
    pause_keys: Type.Optional(
      Nullable(Type.Array(Type.String({ maxLength: MAX_TEXT }), { maxItems: MAX_PAUSE_KEYS })),
    ),
    resuming: Type.Optional(Nullable(Flag())),
    retry_type: Type.Optional(Nullable(StringEnum(RETRY_TYPES))),
  },
  { $id: "FlowRunPolicy" },
);
export type FlowRunPolicy = Static<typeof FlowRunPolicy>;

export const FlowRun = Model(
  {
    ...recordFields,
    name: Type.String(),
    flow_id: Uuid(),
    state_id: Nullable(Uuid()),
    deployment_id: Nullable(Uuid()),
    deployment_version: Nullable(Type.String()),
    work_queue_id: Nullable(Uuid()),
    work_queue_name: Nullable(Type.String()),
    flow_version: Nullable(Type.String()),
    parameters: Parameters,
    idempotency_key: Nullable(Type.String()),
    context: JsonObject(),
    empirical_policy: FlowRunPolicy,
    tags: Tags,
    labels: Labels,
    parent_task_run_id: Nullable(Uuid()),
    state_type: Nullable(StateType),
    state_name: Nullable(Type.String()),
    run_count: Type.Integer(),
    expected_start_time: Nullable(Timestamp()),
    next_scheduled_start_time: Nullable(Timestamp()),
    start_time: Nullable(Timestamp()),
    end_time: Nullable(Timestamp()),
    total_run_time: Type.Number(),
    estimated_run_time: Type.Number(),
    estimated_start_time_delta: Type.Number(),
    auto_scheduled: Type.Boolean(),
    infrastructure_document_id: Nullable(Uuid()),
    infrastructure_pid: Nullable(Type.String()),
    created_by: Nullable(CreatedBy),
    work_pool_id: Nullable(Uuid()),
    work_pool_name: Nullable(Type.String()),
    state: Nullable(State),
    job_variables: Nullable(JsonObject()),
    priority: Type.Integer(),
    concurrency_key: Nullable(Type.String()),
  },
  { $id: "FlowRun" },
);
export type FlowRun = Static<typeof FlowRun>;

/** What a new run may be given, with or without a deployment. */
const creatable = {
  state: Type.Optional(Nullable(StateCreate)),
  name: name(),
  parameters: Type.Optional(Nullable(Parameters)),
  context: Type.Optional(Nullable(JsonObject())),
  infrastructure_document_id: uuid(),
  empirical_policy: Type.Optional(Nullable(FlowRunPolicy)),
  tags: Type.Optional(Nullable(Tags)),
  labels: Type.Optional(Nullable(Labels)),
  idempotency_key: cutText(
    "A second run of the flow with the same key is not made. One of more than 2,500 bytes is kept as its beginning and a digest.",
  ),
  parent_task_run_id: uuid(),
  work_queue_name: text(),
  job_variables: Type.Optional(Nullable(JsonObject())),
  priority: priority(),
} as const;

export const FlowRunCreate = Model(
  {
    flow_id: Uuid(),
    ...creatable,
    flow_version: version(),
    work_pool_name: text(),
    deployment_id: uuid(),
  },
  { $id: "FlowRunCreate" },
);
export type FlowRunCreate = Static<typeof FlowRunCreate>;

export const DeploymentFlowRunCreate = Model(
  { ...creatable, enforce_parameter_schema: Type.Optional(Nullable(Flag())) },
  { $id: "DeploymentFlowRunCreate" },
);
export type DeploymentFlowRunCreate = Static<typeof DeploymentFlowRunCreate>;

export const FlowRunUpdate = Model(
  {
    name: name(),
    flow_version: version(),
    parameters: Type.Optional(Nullable(Parameters)),
    empirical_policy: Type.Optional(Nullable(FlowRunPolicy)),
    tags: Type.Optional(Nullable(Tags)),
    infrastructure_pid: text(MAX_LONG_TEXT),
    job_variables: Type.Optional(Nullable(JsonObject())),
    priority: priority(),
    labels: Type.Optional(Nullable(Labels, { description: "Added to those that the run has" })),
  },
  { $id: "FlowRunUpdate" },
);
export type FlowRunUpdate = Static<typeof FlowRunUpdate>;

const ids = () => Type.Array(Uuid());
const texts = () => Type.Array(Type.String());

export const FlowRunFilter = FilterModel(
  {
    id: { any_: ids(), not_any_: ids() },
    name: { any_: texts(), like_: Type.String() },
    tags: { all_: texts(), any_: texts(), is_null_: Flag() },
    deployment_id: { any_: ids(), is_null_: Flag() },
    flow_id: { any_: ids() },
    work_queue_name: { any_: texts(), is_null_: Flag() },
    state: FilterModel({
      type: { any_: Type.Array(StateType), not_any_: Type.Array(StateType) },
      name: { any_: texts(), not_any_: texts() },
    }),
    flow_version: { any_: texts() },
    start_time: { before_: Timestamp(), after_: Timestamp(), is_null_: Flag() },
    end_time: { before_: Timestamp(), after_: Timestamp(), is_null_: Flag() },
    expected_start_time: { before_: Timestamp(), after_: Timestamp() },
    next_scheduled_start_time: { before_: Timestamp(), after_: Timestamp() },
    parent_flow_run_id: { any_: ids() },
    parent_task_run_id: { any_: ids(), is_null_: Flag() },
    idempotency_key: { any_: texts(), not_any_: texts() },
    created_by: { id_: ids(), type_: texts(), is_null_: Flag() },
  },
  { $id: "FlowRunFilter" },
);

export const FLOW_RUN_SORTS = [
  "ID_DESC",
  "START_TIME_ASC",
  "START_TIME_DESC",
  "EXPECTED_START_TIME_ASC",
  "EXPECTED_START_TIME_DESC",
  "NAME_ASC",
  "NAME_DESC",
  "NEXT_SCHEDULED_START_TIME_ASC",
  "END_TIME_DESC",
  "CREATED_DESC",
  "UPDATED_DESC",
] as const;
export type FlowRunSort = (typeof FLOW_RUN_SORTS)[number];

export const FlowRunInput = Model(
  {
    ...recordFields,
    flow_run_id: Uuid(),
    key: Type.String(),
    value: Type.String(),
    sender: Nullable(Type.String()),
  },
  { $id: "FlowRunInput" },
);

const MAX_INPUT = 4 * 1024 * 1024;
const MAX_EXCLUDED_KEYS = 1000;

export const FlowRunInputCreate = Type.Object(
  {
    key: Slug({ ...LONG, minLength: 1, pattern: "^[A-Za-z0-9_-]*$" }),
    value: Type.String({ maxLength: MAX_INPUT }),
    sender: Type.Optional(Type.String({ maxLength: MAX_TEXT })),
  },
  { nullAsAbsent: true },
);
export type FlowRunInputCreate = Static<typeof FlowRunInputCreate>;

export const FlowRunInputList = Type.Object(
  {
    prefix: Type.String({ maxLength: MAX_TEXT }),
    limit: Limit(200, 1),
    exclude_keys: Type.Optional(Type.Array(Type.String(), { maxItems: MAX_EXCLUDED_KEYS })),
  },
  { nullAsAbsent: true },
);
export type FlowRunInputList = Static<typeof FlowRunInputList>;

export const FlowRunInputKey = Type.Object({ id: Uuid(), key: Type.String() });

export const FlowRunResume = Type.Object(
  { run_input: Type.Optional(JsonObject({ maxJsonLength: MAX_INPUT })) },
  { nullAsAbsent: true },
);

export const FlowRunStateResults = Model(
  {
    results: Type.Array(
      Model({
        flow_run_id: Uuid(),
        status: StringEnum(ORCHESTRATION_STATUSES),
        state: Nullable(State),
        details: Type.Object({}),
      }),
    ),
  },
  { $id: "FlowRunStateResults" },
);

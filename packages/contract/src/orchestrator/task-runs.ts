import { type Static, Type } from "typebox";
import {
  FilterModel,
  Flag,
  Int,
  Model,
  Nullable,
  Num,
  StringEnum,
  Timestamp,
  Uuid,
} from "../schema/index.ts";
import { Labels, recordFields, StateType, Tags } from "./common.ts";
import { State, StateCreate } from "./states.ts";

export const MAX_INPUT_TEXT = 1000;
const MAX_LONG_TEXT = 10_000;
const MAX_CACHE_KEY = 2000;
const MAX_RETRY_DELAYS = 50;
const MAX_INPUT_NAMES = 1000;
const MAX_INPUTS = 50_000;

// Refused, a run would stay as it is.
const name = () =>
  Type.Optional(
    Nullable(
      Type.String({
        description:
          "Of one that has more than 1,000 characters or 2,500 bytes the middle is left out.",
      }),
    ),
  );
const key = () =>
  Type.String({
    description: "One of more than 1,250 bytes is kept as its beginning and a digest.",
  });
const text = () => Type.Optional(Nullable(Type.String({ maxLength: MAX_LONG_TEXT })));

/** How a task run retries. */
export const TaskRunPolicy = Type.Object(
  {
    max_retries: Type.Optional(Int({ default: 0, minimum: 0 })),
    retry_delay_seconds: Type.Optional(Num({ default: 0, minimum: 0 })),
    // Below zero is never, to clients that check nothing.
    retries: Type.Optional(Nullable(Int())),
    retry_delay: Type.Optional(
      Type.Unsafe<number | readonly number[] | null>({
        anyOf: [
          {
            type: "array",
            items: Num(),
            maxItems: MAX_RETRY_DELAYS,
            problem: `Can not configure more than ${MAX_RETRY_DELAYS} retry delays per task.`,
          },
          Num(),
          { type: "null" },
        ],
      }),
    ),
    retry_jitter_factor: Type.Optional(Nullable(Num({ minimum: 0 }))),
  },
  { $id: "TaskRunPolicy" },
);
export type TaskRunPolicy = Static<typeof TaskRunPolicy>;

/** Which of them it is may be left out: its field tells. */
const TaskInput = Type.Unsafe<{
  readonly input_type?: "task_run" | "flow_run" | "parameter" | "constant";
  readonly id?: string;
  readonly name?: string;
  readonly type?: string;
}>({
  anyOf: [
    Type.Object({
      input_type: Type.Optional(StringEnum(["task_run", "flow_run"])),
      id: Uuid(),
    }),
    Type.Object({
      input_type: Type.Optional(StringEnum(["parameter"])),
      name: Type.String({ maxLength: MAX_INPUT_TEXT }),
    }),
    Type.Object({
      input_type: Type.Optional(StringEnum(["constant"])),
      type: Type.String({ maxLength: MAX_INPUT_TEXT }),
    }),
  ],
});
export type TaskInput = Static<typeof TaskInput>;

/** What each argument of a task came from. */
export const TaskInputs = Type.Unsafe<
  Readonly<Record<string, readonly Static<typeof TaskInput>[]>>
>({
  type: "object",
  additionalProperties: { type: "array", items: TaskInput, maxItems: MAX_INPUTS },
  maxProperties: MAX_INPUT_NAMES,
});
export type TaskInputs = Static<typeof TaskInputs>;

export const TaskRun = Model(
  {
    ...recordFields,
    name: Type.String(),
    flow_run_id: Nullable(Uuid()),
    task_key: Type.String(),
    dynamic_key: Type.String(),
    cache_key: Nullable(Type.String()),
    cache_expiration: Nullable(Timestamp()),
    task_version: Nullable(Type.String()),
    empirical_policy: TaskRunPolicy,
    tags: Tags,
    labels: Labels,
    state_id: Nullable(Uuid()),
    task_inputs: TaskInputs,
    state_type: Nullable(StateType),
    state_name: Nullable(Type.String()),
    run_count: Type.Integer(),
    flow_run_run_count: Type.Integer(),
    expected_start_time: Nullable(Timestamp()),
    next_scheduled_start_time: Nullable(Timestamp()),
    start_time: Nullable(Timestamp()),
    end_time: Nullable(Timestamp()),
    total_run_time: Type.Number(),
    estimated_run_time: Type.Number(),
    estimated_start_time_delta: Type.Number(),
    state: Nullable(State),
  },
  { $id: "TaskRun" },
);
export type TaskRun = Static<typeof TaskRun>;

export const TaskRunCreate = Model(
  {
    id: Type.Optional(Nullable(Uuid())),
    state: Type.Optional(Nullable(StateCreate)),
    name: name(),
    flow_run_id: Type.Optional(Nullable(Uuid())),
    task_key: key(),
    dynamic_key: key(),
    cache_key: Type.Optional(Nullable(Type.String({ maxLength: MAX_CACHE_KEY }))),
    cache_expiration: Type.Optional(Nullable(Timestamp())),
    task_version: text(),
    empirical_policy: Type.Optional(Nullable(TaskRunPolicy)),
    tags: Type.Optional(Nullable(Tags)),
    labels: Type.Optional(Nullable(Labels)),
    task_inputs: Type.Optional(Nullable(TaskInputs)),
  },
  { $id: "TaskRunCreate" },
);
export type TaskRunCreate = Static<typeof TaskRunCreate>;

export const TaskRunUpdate = Model({ name: name() }, { $id: "TaskRunUpdate" });
export type TaskRunUpdate = Static<typeof TaskRunUpdate>;

const ids = () => Type.Array(Uuid());
const texts = () => Type.Array(Type.String());

export const TaskRunFilter = FilterModel(
  {
    id: { any_: ids() },
    name: { any_: texts(), like_: Type.String() },
    tags: { all_: texts(), is_null_: Flag() },
    state: FilterModel({
      type: { any_: Type.Array(StateType) },
      name: { any_: texts() },
    }),
    start_time: { before_: Timestamp(), after_: Timestamp(), is_null_: Flag() },
    end_time: { before_: Timestamp(), after_: Timestamp(), is_null_: Flag() },
    expected_start_time: { before_: Timestamp(), after_: Timestamp() },
    subflow_runs: { exists_: Flag() },
    flow_run_id: { any_: ids(), is_null_: Flag() },
  },
  { $id: "TaskRunFilter" },
);

export const TASK_RUN_SORTS = [
  "ID_DESC",
  "EXPECTED_START_TIME_ASC",
  "EXPECTED_START_TIME_DESC",
  "NAME_ASC",
  "NAME_DESC",
  "NEXT_SCHEDULED_START_TIME_ASC",
  "END_TIME_DESC",
  "DURATION_DESC",
  "DURATION_ASC",
  "CREATED_DESC",
  "UPDATED_DESC",
] as const;
export type TaskRunSort = (typeof TASK_RUN_SORTS)[number];

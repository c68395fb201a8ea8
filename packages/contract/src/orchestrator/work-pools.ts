import { type Static, Type } from "typebox";
import {
  Flag,
  Int,
  JsonObject,
  Limit,
  LONG,
  Model,
  Name,
  NamedParameters,
  Nullable,
  Offset,
  Page,
  StringEnum,
  Timestamp,
  Uuid,
} from "../schema/index.ts";
import { recordFields, StateType, WaitSeconds } from "./common.ts";
import { FlowRun } from "./flow-runs.ts";
import { WorkPoolFilter } from "./work-filters.ts";

const MAX_DESCRIPTION = 100_000;
const MAX_TYPE = 255;
const MAX_WORKER_NAME = 255;
const MAX_QUEUE_NAMES = 1000;
const MAX_SHOWN_RUNS = 200;
const SHOWN_RUNS = 10;

export const WORK_STATUSES = ["READY", "NOT_READY", "PAUSED"] as const;
export const WorkStatus = StringEnum(WORK_STATUSES, {
  description: "READY while somebody asks for work here",
});

/** Not only blanks and quotes, and nothing that an address would misread. */
const WorkPoolName = Name({
  ...LONG,
  pattern: `^(?![\\s"']*$)[^/%&><]+$`,
  description: "One or more characters, none of `/ % & > <`, and not only blanks or quotes",
  examples: ["main"],
});

const Description = Type.String({ maxLength: MAX_DESCRIPTION });

export const ConcurrencyLimit = Int({
  minimum: 0,
  description: "How many runs may be pending or running at once; null for any number",
});

const BaseJobTemplate = JsonObject({
  description:
    "Empty, or `job_configuration` with `{{ placeholders }}` and the schema of their `variables`",
});

const step = () => Type.Optional(Nullable(JsonObject()));

export const WorkPoolStorage = Model(
  {
    bundle_upload_step: step(),
    bundle_execution_step: step(),
    default_result_storage_block_id: Type.Optional(Nullable(Uuid())),
  },
  { $id: "WorkPoolStorage", description: "Where code bundles and results of the pool's runs go" },
);
export type WorkPoolStorage = Static<typeof WorkPoolStorage>;

export const WorkPool = Model(
  {
    ...recordFields,
    name: Type.String(),
    description: Nullable(Type.String()),
    type: Type.String(),
    base_job_template: BaseJobTemplate,
    is_paused: Type.Boolean(),
    concurrency_limit: Nullable(Type.Integer()),
    status: Nullable(WorkStatus),
    default_queue_id: Nullable(Uuid()),
    storage_configuration: WorkPoolStorage,
    active_slots: Nullable(Type.Integer(), {
      description: "How many of the allowed runs there are; null without a limit",
    }),
  },
  { $id: "WorkPool" },
);
export type WorkPool = Static<typeof WorkPool>;

export const WorkPoolCreate = Model(
  {
    name: WorkPoolName,
    description: Type.Optional(Nullable(Description)),
    type: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: MAX_TYPE,
        description:
          "Which kind of worker serves the pool; `process` when left out, `prefect-agent` for the established clients",
      }),
    ),
    base_job_template: Type.Optional(BaseJobTemplate),
    is_paused: Type.Optional(Flag({ default: false })),
    concurrency_limit: Type.Optional(Nullable(ConcurrencyLimit)),
    storage_configuration: Type.Optional(WorkPoolStorage),
  },
  { $id: "WorkPoolCreate" },
);
export type WorkPoolCreate = Static<typeof WorkPoolCreate>;

/** Only the keys that are present change anything. */
export const WorkPoolUpdate = Model(
  {
    description: Type.Optional(Nullable(Description)),
    is_paused: Type.Optional(Nullable(Flag())),
    base_job_template: Type.Optional(Nullable(BaseJobTemplate)),
    concurrency_limit: Type.Optional(Nullable(ConcurrencyLimit)),
    storage_configuration: Type.Optional(Nullable(WorkPoolStorage)),
  },
  { $id: "WorkPoolUpdate" },
);
export type WorkPoolUpdate = Static<typeof WorkPoolUpdate>;

export const WorkPoolByName = Type.Object({ name: Type.String() });

export const WorkPoolCount = NamedParameters(
  { work_pools: Type.Optional(WorkPoolFilter) },
  { ownFilter: "work_pools" },
);

export const WORK_POOL_SORTS = ["NAME_ASC", "NAME_DESC", "CREATED_DESC", "UPDATED_DESC"] as const;
export type WorkPoolSort = (typeof WORK_POOL_SORTS)[number];

export const WorkPoolList = NamedParameters(
  {
    work_pools: Type.Optional(WorkPoolFilter),
    sort: Type.Optional(StringEnum(WORK_POOL_SORTS)),
    limit: Limit(),
    offset: Offset(),
  },
  { ownFilter: "work_pools" },
);

/** What a worker asks for: the runs of a pool that are due, most urgent first. */
const POLL = {
  work_queue_names: Type.Optional(
    Type.Array(Type.String(), {
      maxItems: MAX_QUEUE_NAMES,
      description: "Only from these queues; from all of them when left out",
    }),
  ),
  scheduled_before: Type.Optional(Timestamp()),
  scheduled_after: Type.Optional(Timestamp()),
  limit: Limit(),
  wait_seconds: WaitSeconds(),
};
export const WorkPoolPoll = NamedParameters(POLL);
export type WorkPoolPoll = Static<typeof WorkPoolPoll>;

export const WorkPoolClaim = NamedParameters({
  ...POLL,
  worker_name: Type.Optional(
    Type.String({
      maxLength: MAX_WORKER_NAME,
      description: "Stored in the label `orchestrator.worker.name` of each claimed run",
    }),
  ),
});
export type WorkPoolClaim = Static<typeof WorkPoolClaim>;

export const WorkerFlowRun = Model(
  { work_pool_id: Uuid(), work_queue_id: Uuid(), flow_run: FlowRun },
  { $id: "WorkerFlowRun" },
);
export type WorkerFlowRun = Static<typeof WorkerFlowRun>;

/** A run that takes up a place in a queue. */
export const FlowRunSlot = Model(
  {
    id: Uuid(),
    name: Type.String(),
    state_type: Nullable(StateType),
    state_name: Nullable(Type.String()),
    start_time: Nullable(Timestamp()),
    state_timestamp: Nullable(Timestamp()),
    time_in_current_state: Nullable(Type.Number(), { description: "In seconds" }),
  },
  { $id: "FlowRunSlot" },
);

export const WorkPoolConcurrency = Model(
  {
    active_slots: Type.Integer(),
    concurrency_limit: Nullable(Type.Integer()),
    queues: Type.Array(
      Model({
        queue_id: Uuid(),
        queue_name: Type.String(),
        active_slots: Type.Integer(),
        concurrency_limit: Nullable(Type.Integer()),
        flow_runs: Type.Array(FlowRunSlot),
        flow_run_count: Nullable(Type.Integer()),
      }),
    ),
    count: Type.Integer(),
    limit: Type.Integer(),
    pages: Type.Integer(),
    page: Type.Integer(),
  },
  { $id: "WorkPoolConcurrency" },
);
export type WorkPoolConcurrency = Static<typeof WorkPoolConcurrency>;

export const WorkPoolConcurrencyPages = NamedParameters({
  page: Page(),
  limit: Limit(),
  flow_run_limit: Int({
    minimum: 0,
    maximum: MAX_SHOWN_RUNS,
    default: SHOWN_RUNS,
    description: "How many runs of each queue to show",
  }),
});

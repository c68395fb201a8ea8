import { type Static, Type } from "typebox";
import {
  Flag,
  Int,
  Limit,
  LONG,
  Model,
  Name,
  NamedParameters,
  Nullable,
  Offset,
  Page,
  Timestamp,
  Uuid,
} from "../schema/index.ts";
import { recordFields } from "./common.ts";
import { WorkQueueFilter } from "./work-filters.ts";
import { ConcurrencyLimit, FlowRunSlot, WorkStatus } from "./work-pools.ts";

const MAX_DESCRIPTION = 100_000;
const MAX_PRIORITY = 1_000_000_000;

export const WorkQueueName = Name({ ...LONG, examples: ["default"] });
const Description = Type.String({ maxLength: MAX_DESCRIPTION });
const Priority = Int({
  minimum: 1,
  maximum: MAX_PRIORITY,
  description: "1 comes first; no two queues of a pool have the same",
});
const NoFilter = Type.Optional(
  Type.Null({ description: "Queues no longer choose their runs by a filter" }),
);

export const WorkQueue = Model(
  {
    ...recordFields,
    name: Type.String(),
    description: Type.String(),
    is_paused: Type.Boolean(),
    concurrency_limit: Nullable(Type.Integer()),
    priority: Type.Integer(),
    work_pool_id: Uuid(),
    filter: Type.Null(),
    last_polled: Nullable(Timestamp(), {
      description: "When a worker last asked here, within seconds",
    }),
    work_pool_name: Nullable(Type.String()),
    status: Nullable(WorkStatus),
    active_slots: Nullable(Type.Integer(), {
      description: "How many of the allowed runs there are; null without a limit",
    }),
  },
  { $id: "WorkQueue" },
);
export type WorkQueue = Static<typeof WorkQueue>;

export const WorkQueueCreate = Model(
  {
    name: WorkQueueName,
    description: Type.Optional(Nullable(Description)),
    is_paused: Type.Optional(Flag({ default: false })),
    concurrency_limit: Type.Optional(Nullable(ConcurrencyLimit)),
    priority: Type.Optional(Nullable(Priority)),
    filter: NoFilter,
  },
  { $id: "WorkQueueCreate" },
);
export type WorkQueueCreate = Static<typeof WorkQueueCreate>;

/** Only the keys that are present change anything. */
export const WorkQueueUpdate = Model(
  {
    name: Type.Optional(Nullable(WorkQueueName)),
    description: Type.Optional(Nullable(Description)),
    is_paused: Type.Optional(Nullable(Flag())),
    concurrency_limit: Type.Optional(Nullable(ConcurrencyLimit)),
    priority: Type.Optional(Nullable(Priority)),
    last_polled: Type.Optional(Nullable(Timestamp())),
    filter: NoFilter,
  },
  { $id: "WorkQueueUpdate" },
);
export type WorkQueueUpdate = Static<typeof WorkQueueUpdate>;

export const WorkPoolOfQueues = Type.Object({ work_pool_name: Type.String() });
export const WorkQueueInPool = Type.Object({ work_pool_name: Type.String(), name: Type.String() });
export const WorkQueueByName = Type.Object({ name: Type.String() });

export const WorkQueueList = NamedParameters(
  { work_queues: Type.Optional(WorkQueueFilter), limit: Limit(), offset: Offset() },
  { ownFilter: "work_queues" },
);

export const WorkQueuePoll = NamedParameters({
  scheduled_before: Type.Optional(Timestamp()),
  limit: Limit(),
});
export type WorkQueuePoll = Static<typeof WorkQueuePoll>;

export const WorkQueueHealth = Model(
  {
    healthy: Type.Boolean(),
    late_runs_count: Type.Integer(),
    last_polled: Nullable(Timestamp()),
    health_check_policy: Model({
      maximum_late_runs: Type.Integer(),
      maximum_seconds_since_last_polled: Type.Integer(),
    }),
  },
  { $id: "WorkQueueHealth" },
);
export type WorkQueueHealth = Static<typeof WorkQueueHealth>;

export const WorkQueueConcurrency = Model(
  {
    active_slots: Type.Integer(),
    concurrency_limit: Nullable(Type.Integer()),
    flow_runs: Type.Array(FlowRunSlot),
    count: Type.Integer(),
    limit: Type.Integer(),
    pages: Type.Integer(),
    page: Type.Integer(),
  },
  { $id: "WorkQueueConcurrency" },
);
export type WorkQueueConcurrency = Static<typeof WorkQueueConcurrency>;

export const WorkQueueConcurrencyPages = NamedParameters({ page: Page(), limit: Limit() });

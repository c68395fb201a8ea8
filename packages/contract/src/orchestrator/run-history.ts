// Figures over many runs: what charts and tables of a user interface show.

import { type Static, Type } from "typebox";
import {
  Limit,
  Model,
  NamedParameters,
  Nullable,
  Offset,
  StringEnum,
  Timestamp,
  Uuid,
} from "../schema/index.ts";
import { STATE_TYPES, StateType } from "./common.ts";
import { FLOW_RUN_SORTS } from "./flow-runs.ts";
import { FlowRunCount, TaskRunCount } from "./run-lists.ts";
import { TaskRun, TaskRunFilter } from "./task-runs.ts";

/** The mean of how late runs started, in seconds; null when no run matches. */
export const Lateness = Nullable(Type.Number());

const MAX_POINTS = 1000;

export const FlowRunPointList = NamedParameters(
  {
    ...FlowRunCount.properties,
    sort: Type.Optional(StringEnum(FLOW_RUN_SORTS)),
    limit: Limit(MAX_POINTS),
    offset: Offset(),
  },
  { ownFilter: "flow_runs" },
);

/** A flow run as a point in a chart. */
export const FlowRunPoint = Model(
  {
    id: Uuid(),
    state_type: StateType,
    timestamp: Timestamp({ description: "When it started, or is expected to" }),
    duration: Type.Number({ description: "Seconds it has run" }),
    lateness: Type.Number({ description: "Seconds it started late" }),
  },
  { $id: "FlowRunPoint" },
);
export type FlowRunPoint = Static<typeof FlowRunPoint>;

const MAX_IDS = 200;
const ids = () => Type.Array(Uuid(), { maxItems: MAX_IDS });

export const FlowRunIds = NamedParameters({ flow_run_ids: ids() });
export const FlowIds = NamedParameters({ flow_ids: ids() });

export const CountsById = Type.Unsafe<Record<string, number>>({
  type: "object",
  additionalProperties: { type: "integer" },
  description: "How many, by id; every id that was asked for is there",
});

export const NextRun = Model(
  {
    id: Uuid(),
    flow_id: Uuid(),
    name: Type.String(),
    state_name: Type.String(),
    state_type: StateType,
    next_scheduled_start_time: Timestamp(),
  },
  { $id: "NextRun" },
);
export type NextRun = Static<typeof NextRun>;

export const NextRunsByFlow = Type.Unsafe<Record<string, NextRun | null>>({
  type: "object",
  additionalProperties: { anyOf: [NextRun, { type: "null" }] },
  description:
    "The scheduled run that is due first, by the id of its flow; null when there is none",
});

const MAX_LAST_RUNS = 50;

export const LastRunsQuery = NamedParameters({
  of: StringEnum(["flow", "deployment"], { description: "Whose ids are given" }),
  ids: ids(),
  limit: Limit(MAX_LAST_RUNS),
});

export const LastRun = Model(
  {
    id: Uuid(),
    name: Type.String(),
    state_type: Nullable(StateType),
    state_name: Nullable(Type.String()),
    expected_start_time: Nullable(Timestamp()),
    start_time: Nullable(Timestamp()),
    estimated_run_time: Type.Number({ description: "Seconds it has run" }),
  },
  { $id: "LastRun" },
);
export type LastRun = Static<typeof LastRun>;

export const LastRunsById = Type.Unsafe<Record<string, LastRun[]>>({
  type: "object",
  additionalProperties: { type: "array", items: LastRun },
  description:
    "The runs that were expected last and no longer wait for their time, the latest first, by id; every id that was asked for is there",
});

const MAX_TROUBLES = 50;

export const TroublesQuery = NamedParameters({
  since: Type.Optional(
    Timestamp({ description: "Leaves out runs that failed and were expected before" }),
  ),
  limit: Limit(MAX_TROUBLES),
});

export const TroubledRun = Model(
  {
    id: Uuid(),
    name: Type.String(),
    flow_id: Uuid(),
    flow_name: Nullable(Type.String()),
    state_type: Nullable(StateType),
    state_name: Nullable(Type.String()),
    expected_start_time: Nullable(Timestamp()),
    start_time: Nullable(Timestamp()),
  },
  { $id: "TroubledRun" },
);
export type TroubledRun = Static<typeof TroubledRun>;

export const Troubles = Model(
  {
    failed: Type.Array(TroubledRun, { description: "Failed or crashed, the latest first" }),
    late: Type.Array(TroubledRun, {
      description: "Nobody has fetched them in time; those that have waited longest first",
    }),
  },
  { $id: "Troubles" },
);
export type Troubles = Static<typeof Troubles>;

export const WorkPoolGlance = Model(
  {
    id: Uuid(),
    name: Type.String(),
    type: Type.String(),
    status: Nullable(Type.String()),
    online_workers: Type.Integer({ description: "Workers that have been heard of lately" }),
    running: Type.Integer({ description: "Runs that are pending, running or being cancelled" }),
    late: Type.Integer({ description: "Runs that nobody has fetched in time" }),
  },
  { $id: "WorkPoolGlance" },
);
export type WorkPoolGlance = Static<typeof WorkPoolGlance>;

export const TaskRunDashboard = NamedParameters(
  { ...TaskRunCount.properties, task_runs: TaskRunFilter },
  { ownFilter: "task_runs" },
);

export const EndedTaskRuns = Model(
  { completed: Type.Integer(), failed: Type.Integer() },
  {
    $id: "EndedTaskRuns",
    description: "How many task runs of one interval ended well, and how many did not",
  },
);
export type EndedTaskRuns = Static<typeof EndedTaskRuns>;

/** How many task runs are in each type of state. */
export const TaskRunStateCounts = Model(
  Object.fromEntries(STATE_TYPES.map((type) => [type, Type.Integer()])) as Record<
    StateType,
    ReturnType<typeof Type.Integer>
  >,
  { $id: "TaskRunStateCounts" },
);
export type TaskRunStateCounts = Static<typeof TaskRunStateCounts>;

export const TaskRunInContext = Model(
  { ...TaskRun.properties, flow_run_name: Nullable(Type.String()) },
  { $id: "TaskRunInContext" },
);
export type TaskRunInContext = Static<typeof TaskRunInContext>;

import { type Static, Type } from "typebox";
import {
  Int,
  Model,
  NamedParameters,
  Nullable,
  Seconds,
  Timestamp,
  Uuid,
} from "../schema/index.ts";
import { DeploymentFlowRunCreate } from "./flow-runs.ts";
import { DeploymentScheduleCreates, Schedule } from "./schedules.ts";

// What can be asked of a deployment beyond reading and changing it.

const MAX_NAME = 1000;
const MAX_BULK_RUNS = 10_000;
const MAX_RUNS_NOW = 1000;
const MAX_PREVIEW = 100;
const DEFAULT_PREVIEW = 10;

export const DeploymentNames = Type.Object({
  flow_name: Type.String({ maxLength: MAX_NAME }),
  deployment_name: Type.String({ maxLength: MAX_NAME }),
});

export const DeploymentScheduleKey = Type.Object({ id: Uuid(), schedule_id: Uuid() });

/**
 * With `schedule` it becomes the deployment's only schedule; without, runs of its schedules are
 * created now.
 */
export const DeploymentScheduleRequest = NamedParameters({
  schedule: Type.Optional(Schedule),
  start_time: Type.Optional(
    Timestamp({ description: "The first time that counts; now if left out" }),
  ),
  end_time: Type.Optional(Timestamp({ description: "The last time that counts" })),
  min_time: Type.Optional(Seconds({ minimum: 0, description: "How far the times reach at least" })),
  min_runs: Type.Optional(Int({ minimum: 0, maximum: MAX_RUNS_NOW })),
  max_runs: Type.Optional(Int({ minimum: 0, maximum: MAX_RUNS_NOW })),
});
export type DeploymentScheduleRequest = Static<typeof DeploymentScheduleRequest>;

/**
 * How many of these there may be is said by the answer, with another status than a malformed body.
 */
export const DeploymentFlowRunCreates = Type.Array(DeploymentFlowRunCreate, {
  maxItems: MAX_BULK_RUNS,
});

export const FlowRunBulkCreated = Model(
  {
    results: Type.Array(
      Model({
        flow_run_id: Nullable(Uuid()),
        status: Type.Union([Type.Literal("CREATED"), Type.Literal("FAILED")]),
        error: Nullable(Type.String()),
      }),
    ),
  },
  { $id: "FlowRunBulkCreated" },
);
export type FlowRunBulkCreated = Static<typeof FlowRunBulkCreated>;

export const SchedulePreviewRequest = NamedParameters({
  schedules: Type.Optional(DeploymentScheduleCreates),
  limit: Type.Optional(
    Int({
      minimum: 1,
      maximum: MAX_PREVIEW,
      default: DEFAULT_PREVIEW,
      description: "How many times",
    }),
  ),
});
export type SchedulePreviewRequest = Static<typeof SchedulePreviewRequest>;

export const SchedulePreview = Model(
  {
    times: Type.Array(
      Model({
        time: Timestamp(),
        schedule_id: Nullable(Uuid(), { description: "Null for a schedule that is not stored" }),
        slug: Nullable(Type.String()),
        position: Type.Integer({ description: "Which of the schedules it is, counted from 0" }),
      }),
    ),
    deleted_runs: Type.Integer({
      description: "How many runs that have not started a change would delete and create anew",
    }),
  },
  { $id: "SchedulePreview" },
);
export type SchedulePreview = Static<typeof SchedulePreview>;

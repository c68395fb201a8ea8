import { type Static, Type } from "typebox";
import {
  Flag,
  Int,
  Model,
  Nullable,
  Num,
  Seconds,
  StringEnum,
  Timestamp,
  Uuid,
} from "../schema/index.ts";
import { Parameters, recordFields } from "./common.ts";

const MAX_CRON = 255;
const MAX_RRULE = 6500;
const MAX_SCHEDULED_RUNS = 50;
const MAX_JITTER_SECONDS = 86_400;
/** More than anyone needs. */
export const MOST_SCHEDULES = 500;
const MAX_SLUG = 255;

/**
 * Exactly one of `cron`, `interval` and `rrule` says which kind it is; the keys of another kind are
 * refused.
 */
export const Schedule = Model(
  {
    cron: Type.Optional(Type.String({ maxLength: MAX_CRON, examples: ["0 9 * * *"] })),
    day_or: Type.Optional(
      Flag({ description: "Cron: whether day of month and day of week are joined by or" }),
    ),
    interval: Type.Optional(Seconds({ minimum: 1, description: "Seconds between two times" })),
    anchor_date: Type.Optional(Nullable(Timestamp({ description: "Interval: one of its times" }))),
    rrule: Type.Optional(Type.String({ maxLength: MAX_RRULE, examples: ["FREQ=DAILY;BYHOUR=9"] })),
    timezone: Type.Optional(Nullable(Type.String({ maxLength: 100, examples: ["Europe/Paris"] }))),
  },
  { $id: "Schedule" },
);
export type Schedule = Static<typeof Schedule>;

export const CATCHUP = ["all", "latest", "none"] as const;
export const OVERLAP = ["allow", "skip", "queue", "cancel-running"] as const;

const policy = {
  catchup: StringEnum(CATCHUP, {
    description: "What to do with times that passed while nothing could create their runs",
  }),
  overlap: StringEnum(OVERLAP, {
    description: "What to do at a time when an earlier run of the schedule has not ended",
  }),
  jitter_seconds: Num({
    minimum: 0,
    maximum: MAX_JITTER_SECONDS,
    description: "Spreads the times by up to so many seconds, always the same for the same time",
  }),
} as const;

export const DeploymentSchedule = Model(
  {
    ...recordFields,
    deployment_id: Uuid(),
    schedule: Schedule,
    active: Type.Boolean(),
    max_scheduled_runs: Nullable(Type.Integer()),
    parameters: Parameters,
    slug: Nullable(Type.String()),
    ...policy,
  },
  { $id: "DeploymentSchedule" },
);
export type DeploymentSchedule = Static<typeof DeploymentSchedule>;

/** Unlike other slugs it may be any text: it is only ever compared. */
const ScheduleSlug = Type.String({ maxLength: MAX_SLUG });

const changes = {
  active: Type.Optional(Nullable(Flag())),
  max_scheduled_runs: Type.Optional(Nullable(Int({ minimum: 1, maximum: MAX_SCHEDULED_RUNS }))),
  parameters: Type.Optional(Nullable(Parameters)),
  slug: Type.Optional(Nullable(ScheduleSlug)),
  replaces: Type.Optional(Nullable(ScheduleSlug)),
  catchup: Type.Optional(Nullable(policy.catchup)),
  overlap: Type.Optional(Nullable(policy.overlap)),
  jitter_seconds: Type.Optional(Nullable(policy.jitter_seconds)),
} as const;

export const DeploymentScheduleCreate = Model(
  { schedule: Schedule, ...changes },
  { $id: "DeploymentScheduleCreate" },
);
export type DeploymentScheduleCreate = Static<typeof DeploymentScheduleCreate>;

export const DeploymentScheduleUpdate = Model(
  { schedule: Type.Optional(Nullable(Schedule)), ...changes },
  { $id: "DeploymentScheduleUpdate" },
);
export type DeploymentScheduleUpdate = Static<typeof DeploymentScheduleUpdate>;

export const DeploymentScheduleCreates = Type.Array(DeploymentScheduleCreate, {
  maxItems: MOST_SCHEDULES,
});
export const DeploymentScheduleUpdates = Type.Array(DeploymentScheduleUpdate, {
  maxItems: MOST_SCHEDULES,
});

import { type Static, Type } from "typebox";
import {
  FilterModel,
  Flag,
  Int,
  Limit,
  Model,
  NamedParameters,
  Nullable,
  Offset,
  StringEnum,
  Timestamp,
  Uuid,
} from "../schema/index.ts";
import { Parameters, recordFields, type StateType } from "./common.ts";
import { Schedule } from "./schedules.ts";

const MAX_KEY = 255;
const MAX_CONCURRENT = 100;
const DEFAULT_CONCURRENT = 10;
/** The runs of each backfill in a list are counted, so that a list holds fewer than others do. */
const MAX_LISTED = 50;

export const BACKFILL_STATUSES = ["RUNNING", "COMPLETED", "CANCELLED"] as const;
export type BackfillStatus = (typeof BACKFILL_STATUSES)[number];
const BackfillStatus = StringEnum(BACKFILL_STATUSES, {
  description:
    "RUNNING until every time has its run and all of these have ended; CANCELLED while it makes no more runs",
});

export const BACKFILL_ORDERS = ["oldest-first", "newest-first"] as const;
export type BackfillOrder = (typeof BACKFILL_ORDERS)[number];
const BackfillOrder = StringEnum(BACKFILL_ORDERS, {
  description: "Which times have their runs first; the oldest when left out",
});

const BackfillSchedule = Model(
  {
    id: Uuid(),
    slug: Nullable(Type.String()),
    schedule: Schedule,
    parameters: Parameters,
  },
  {
    $id: "BackfillSchedule",
    description: "A schedule as it was when the backfill was created; later changes do not count",
  },
);
export type BackfillSchedule = Static<typeof BackfillSchedule>;

export const Backfill = Model(
  {
    ...recordFields,
    deployment_id: Uuid(),
    status: BackfillStatus,
    start: Timestamp(),
    end: Timestamp(),
    schedule_id: Nullable(Uuid(), {
      description: "The schedule that was asked for; null when it was every active one",
    }),
    schedules: Type.Array(BackfillSchedule),
    parameters: Parameters,
    max_concurrent: Type.Integer(),
    order: BackfillOrder,
    skip_existing: Type.Boolean(),
    idempotency_key: Nullable(Type.String()),
    total: Type.Integer({ description: "How many times there are" }),
    created_runs: Type.Integer({ description: "How many of them have had their run created" }),
    skipped: Type.Integer({
      description: "How many of them were left out because the schedule had made their run",
    }),
    active_runs: Type.Integer({ description: "How many of its runs have not ended" }),
    states: Type.Unsafe<Readonly<Partial<Record<StateType, number>>>>({
      type: "object",
      additionalProperties: { type: "integer" },
      description: "How many of its runs, of those that have not been deleted, are in which state",
    }),
    next_time: Nullable(Timestamp(), {
      description: "The time whose run is created next; null when there is none left",
    }),
  },
  { $id: "Backfill" },
);
export type Backfill = Static<typeof Backfill>;

export const BackfillCreate = Model(
  {
    start: Timestamp({ description: "The first time that counts" }),
    end: Type.Optional(
      Nullable(Timestamp({ description: "The last time that counts; now when left out" })),
    ),
    schedule_id: Type.Optional(
      Nullable(Uuid({ description: "Whose times; every active schedule's when left out" })),
    ),
    parameters: Type.Optional(Nullable(Parameters)),
    max_concurrent: Type.Optional(
      Nullable(
        Int({
          minimum: 1,
          maximum: MAX_CONCURRENT,
          default: DEFAULT_CONCURRENT,
          description: "How many of its runs may be under way or waiting at once",
        }),
      ),
    ),
    order: Type.Optional(Nullable(BackfillOrder)),
    skip_existing: Type.Optional(
      Nullable(
        Flag({
          description:
            "Leave out times whose run the schedule has made already; runs of other backfills do not count",
        }),
      ),
    ),
    idempotency_key: Type.Optional(
      Nullable(
        Type.String({
          minLength: 1,
          maxLength: MAX_KEY,
          description: "A second request of the deployment with the same key creates nothing",
        }),
      ),
    ),
  },
  { $id: "BackfillCreate" },
);
export type BackfillCreate = Static<typeof BackfillCreate>;

export const BackfillCancel = NamedParameters({
  cancel_runs: Type.Optional(Flag({ description: "Cancel its runs that have not ended, too" })),
});

export const BackfillFilter = FilterModel(
  {
    id: { any_: Type.Array(Uuid()) },
    deployment_id: { any_: Type.Array(Uuid()) },
    status: { any_: Type.Array(StringEnum(BACKFILL_STATUSES)) },
  },
  { $id: "BackfillFilter" },
);

export const BACKFILL_SORTS = ["CREATED_DESC", "CREATED_ASC"] as const;
export type BackfillSort = (typeof BACKFILL_SORTS)[number];

export const BackfillList = NamedParameters(
  {
    backfills: Type.Optional(BackfillFilter),
    sort: Type.Optional(StringEnum(BACKFILL_SORTS)),
    limit: Limit(MAX_LISTED),
    offset: Offset(),
  },
  { ownFilter: "backfills" },
);

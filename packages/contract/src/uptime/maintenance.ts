import { type Static, Type } from "typebox";
import {
  Flag,
  Int,
  Model,
  NamedParameters,
  Nullable,
  Offset,
  Timestamp,
  Uuid,
} from "../schema/index.ts";
import { ListLimit } from "./list-limit.ts";

export const MAX_WINDOW_NAME = 100;
export const MAX_WINDOW_TARGETS = 1000;
export const MAX_WINDOW_TAG = 50;
const MAX_DESCRIPTION = 5000;
const MIN_DURATION = 60;
const MAX_DURATION = 2_678_400;
/** So many windows there may be; every process has all of them at hand. */
export const MAX_WINDOWS = 1000;

// Names and tags are trimmed before they are measured, so that here is a bound for what is read at
// all.
const Name = Type.String({
  minLength: 1,
  maxLength: 1000,
  description: `At most ${MAX_WINDOW_NAME} characters, without white space around them`,
  examples: ["Nightly backup"],
});
const Description = Nullable(Type.String({ maxLength: MAX_DESCRIPTION }), {
  description: "What is done meanwhile; status pages show it",
});
const MonitorIds = Type.Array(Uuid(), {
  maxItems: MAX_WINDOW_TARGETS,
  description: "The monitors it is for",
});
const Tags = Type.Array(Type.String({ maxLength: 1000 }), {
  maxItems: MAX_WINDOW_TARGETS,
  description: "It is also for every monitor with one of these tags",
});
const AllMonitors = Flag({ description: "It is for all monitors there are and will be" });
const StartsAt = Nullable(Timestamp(), { description: "When it begins, if it comes once" });
const EndsAt = Nullable(Timestamp(), { description: "When it ends, if it comes once" });
const Cron = Nullable(Type.String({ minLength: 1, maxLength: 500, examples: ["30 2 * * SUN"] }), {
  description:
    "When it begins, if it recurs. Cron: five fields, six with seconds first, or `@daily` and the like",
});
const Zone = Type.String({
  minLength: 1,
  maxLength: 100,
  description: "The IANA time zone of the schedule; UTC when left out",
});
const Duration = Nullable(Int({ minimum: MIN_DURATION, maximum: MAX_DURATION }), {
  description:
    "How long it lasts each time, if it recurs: seconds, whatever the clocks do meanwhile",
});
const Enabled = Flag({ description: "Whether it takes place; true when left out" });

export const MaintenancePeriod = Model(
  { start: Timestamp(), end: Timestamp() },
  { $id: "MaintenancePeriod" },
);
export type MaintenancePeriod = Static<typeof MaintenancePeriod>;

export const MaintenanceWindow = Model(
  {
    id: Uuid(),
    name: Name,
    description: Description,
    monitor_ids: MonitorIds,
    tags: Tags,
    all_monitors: AllMonitors,
    starts_at: StartsAt,
    ends_at: EndsAt,
    schedule: Cron,
    timezone: Zone,
    duration: Duration,
    enabled: Enabled,
    created_at: Timestamp(),
    updated_at: Timestamp(),
    active: Flag({ description: "Whether it takes place at present" }),
    current: Nullable(MaintenancePeriod, { description: "The present period; null between two" }),
    next: Nullable(MaintenancePeriod, { description: "The next period; null when none comes" }),
  },
  { $id: "MaintenanceWindow" },
);
export type MaintenanceWindow = Static<typeof MaintenanceWindow>;

/** What the server alone sets may be sent along, as it was read, and changes nothing. */
const ignored = {
  id: Type.Optional(Nullable(Type.String({ maxLength: 100 }))),
  created_at: Type.Optional(Nullable(Type.String({ maxLength: 100 }))),
  updated_at: Type.Optional(Nullable(Type.String({ maxLength: 100 }))),
  active: Type.Optional(Nullable(Flag())),
  current: Type.Optional(Nullable(MaintenancePeriod)),
  next: Type.Optional(Nullable(MaintenancePeriod)),
};

const optional = {
  description: Type.Optional(Description),
  monitor_ids: Type.Optional(Nullable(MonitorIds)),
  tags: Type.Optional(Nullable(Tags)),
  all_monitors: Type.Optional(Nullable(AllMonitors)),
  starts_at: Type.Optional(StartsAt),
  ends_at: Type.Optional(EndsAt),
  schedule: Type.Optional(Cron),
  timezone: Type.Optional(Nullable(Zone)),
  duration: Type.Optional(Duration),
  enabled: Type.Optional(Nullable(Enabled)),
};

export const MaintenanceCreate = Model(
  { name: Name, ...optional, ...ignored },
  { $id: "MaintenanceCreate" },
);
export type MaintenanceCreate = Static<typeof MaintenanceCreate>;

/**
 * Only the keys that are present change anything; null means unchanged where a field cannot be
 * null.
 */
export const MaintenanceUpdate = Model(
  { name: Type.Optional(Nullable(Name)), ...optional, ...ignored },
  { $id: "MaintenanceUpdate" },
);
export type MaintenanceUpdate = Static<typeof MaintenanceUpdate>;

const { monitor_ids: _ids, ...alike } = optional;

/** A window in a file: what people decide about it. Ids mean nothing outside of this server. */
export const MaintenanceEntry = Model(
  {
    name: Name,
    monitors: Type.Optional(
      Nullable(
        Type.Array(Type.String({ minLength: 1, maxLength: 1000 }), {
          maxItems: MAX_WINDOW_TARGETS,
          description: "The names of the monitors it is for",
        }),
      ),
    ),
    ...alike,
  },
  { $id: "MaintenanceEntry" },
);
export type MaintenanceEntry = Static<typeof MaintenanceEntry>;

export const MaintenanceId = Type.Object({ id: Uuid() }, { title: "Maintenance window" });

export const MaintenanceList = NamedParameters({
  active: Type.Optional(
    Flag({ description: "Only windows that take place at present, or only others" }),
  ),
  monitor_id: Type.Optional(Uuid({ description: "Only windows that are for this monitor" })),
  limit: ListLimit(MAX_WINDOWS, MAX_WINDOWS),
  offset: Offset(),
});
export type MaintenanceList = Static<typeof MaintenanceList>;

import { type Static, Type } from "typebox";
import {
  Flag,
  Int,
  Model,
  NamedParameters,
  Nullable,
  Offset,
  StringEnum,
  Timestamp,
  Uuid,
} from "../schema/index.ts";
import { CheckConfig } from "./checks.ts";

export const MONITOR_STATUSES = ["up", "degraded", "down"] as const;
export const MonitorStatus = StringEnum(MONITOR_STATUSES, { $id: "MonitorStatus" });
export type MonitorStatus = Static<typeof MonitorStatus>;

export const MAX_INTERVAL = 2_678_400;
export const DEFAULT_INTERVAL = 60;
export const MAX_MONITOR_NAME = 100;
export const MAX_MONITOR_URL = 2048;
const MAX_CHECKS = 20;
export const MAX_MONITOR_TAGS = 20;
export const MAX_MONITOR_TAG = 50;
const MAX_CONFIRM = 100;
const MAX_PARENTS = 20;
const MAX_LISTED = 100_000;

// Names and tags are trimmed before they are measured, so that here is a bound for what is read at
// all.
const Name = Type.String({
  minLength: 1,
  maxLength: 1000,
  description: `At most ${MAX_MONITOR_NAME} characters, without white space around them`,
  examples: ["Web shop"],
});
export const MonitorUrl = Type.String({
  minLength: 1,
  maxLength: 4 * MAX_MONITOR_URL,
  description: `The http or https address of the target, at most ${MAX_MONITOR_URL} characters; https where no scheme is given. A password in it is sealed and shown as a mask`,
  examples: ["https://shop.example.com"],
});
export const MonitorPipeline = Type.Array(CheckConfig, {
  maxItems: MAX_CHECKS,
  description: "Run one after the other; the worst status wins. None means one plain `http` check",
});
const Interval = Int({
  minimum: 1,
  maximum: MAX_INTERVAL,
  description: `Seconds between two runs; ${DEFAULT_INTERVAL} when left out`,
});
const CronText = Type.String({
  minLength: 1,
  maxLength: 500,
  description:
    "Cron: five fields, six with seconds first, or `@hourly` and the like. It takes the place of the interval",
  examples: ["*/5 8-18 * * MON-FRI"],
});
const Zone = Type.String({
  minLength: 1,
  maxLength: 100,
  description: "The IANA time zone of the schedule; UTC when left out",
});
const Enabled = Flag({ description: "Whether it is run by itself; a check by hand always is" });
const Tags = Type.Array(Type.String({ maxLength: 1000 }), {
  maxItems: 100,
  description: `Trimmed, each once; at most ${MAX_MONITOR_TAGS} of ${MAX_MONITOR_TAG} characters`,
});
const Confirm = (status: string) =>
  Int({
    minimum: 1,
    maximum: MAX_CONFIRM,
    description: `How many results in a row it takes until the monitor counts as ${status}; 1 when left out`,
  });
const Parents = Type.Array(Uuid(), {
  maxItems: MAX_PARENTS,
  description:
    "Monitors that this one cannot be reached without: while one of them is down, nobody is told that this one is",
});

/** A monitor as it is told. */
export const monitorFields = {
  id: Uuid(),
  name: Name,
  url: MonitorUrl,
  pipeline: MonitorPipeline,
  interval: Interval,
  schedule: Nullable(CronText),
  timezone: Zone,
  enabled: Enabled,
  tags: Tags,
  confirm_down: Confirm("down or degraded"),
  confirm_up: Confirm("up again"),
  parents: Parents,
  created_at: Timestamp(),
  updated_at: Timestamp(),
  last_check: Nullable(Timestamp(), { description: "Null until the first result" }),
  last_status: Nullable(StringEnum(MONITOR_STATUSES), {
    description: "Null until the first result",
  }),
  next_check: Nullable(Timestamp(), {
    description: "When it is run next; null while it is paused or not planned yet",
  }),
};

export const Monitor = Model(monitorFields, { $id: "Monitor" });
export type Monitor = Static<typeof Monitor>;

/** What the server alone sets may be sent along, as it was read, and changes nothing. */
const ignored = {
  id: Type.Optional(Nullable(Type.String({ maxLength: 100 }))),
  created_at: Type.Optional(Nullable(Type.String({ maxLength: 100 }))),
  updated_at: Type.Optional(Nullable(Type.String({ maxLength: 100 }))),
  last_check: Type.Optional(Nullable(Type.String({ maxLength: 100 }))),
  last_status: Type.Optional(Nullable(Type.String({ maxLength: 100 }))),
  next_check: Type.Optional(Nullable(Type.String({ maxLength: 100 }))),
};

const optional = {
  pipeline: Type.Optional(Nullable(MonitorPipeline)),
  interval: Type.Optional(Nullable(Interval)),
  schedule: Type.Optional(Nullable(CronText)),
  timezone: Type.Optional(Nullable(Zone)),
  enabled: Type.Optional(Nullable(Enabled)),
  tags: Type.Optional(Nullable(Tags)),
  confirm_down: Type.Optional(Nullable(Confirm("down or degraded"))),
  confirm_up: Type.Optional(Nullable(Confirm("up again"))),
};

/** Ids mean nothing outside of this server, so that files of monitors leave these out. */
const family = { parents: Type.Optional(Nullable(Parents)) };

export const MonitorCreate = Model(
  { name: Name, url: MonitorUrl, ...optional, ...family, ...ignored },
  { $id: "MonitorCreate" },
);
export type MonitorCreate = Static<typeof MonitorCreate>;

/** A monitor in a file: what people decide about it. */
export const MonitorEntry = Model(
  {
    name: Name,
    url: MonitorUrl,
    ...optional,
    parents: Type.Optional(
      Nullable(
        Type.Array(Name, {
          maxItems: MAX_PARENTS,
          description: "The names of monitors that this one cannot be reached without",
        }),
      ),
    ),
  },
  { $id: "MonitorEntry" },
);
export type MonitorEntry = Static<typeof MonitorEntry>;

/** Only the keys that are present change anything; null means unchanged, except for `schedule`. */
export const MonitorUpdate = Model(
  {
    name: Type.Optional(Nullable(Name)),
    url: Type.Optional(Nullable(MonitorUrl)),
    ...optional,
    ...family,
    ...ignored,
  },
  { $id: "MonitorUpdate" },
);
export type MonitorUpdate = Static<typeof MonitorUpdate>;

export const MonitorId = Type.Object({ id: Uuid() }, { title: "Monitor" });

export const MonitorTag = Type.String({ maxLength: MAX_MONITOR_TAG });

export const MonitorTagFilter = Type.Array(MonitorTag, {
  maxItems: MAX_MONITOR_TAGS,
  description: "Only monitors with this tag; given several times, with all of them",
});

export const MonitorList = NamedParameters({
  tag: Type.Optional(MonitorTagFilter),
  status: Type.Optional(
    Type.Array(StringEnum(MONITOR_STATUSES), {
      maxItems: 10,
      description: "Only monitors whose last status is one of these",
    }),
  ),
  enabled: Type.Optional(Flag({ description: "Only monitors that run, or only paused ones" })),
  q: Type.Optional(
    Type.String({ maxLength: 200, description: "Only monitors with this text in name or address" }),
  ),
  limit: Type.Optional(
    Int({ minimum: 1, maximum: MAX_LISTED, description: "At most this many; all when left out" }),
  ),
  offset: Offset(),
});

export const TagList = Type.Array(Type.String());

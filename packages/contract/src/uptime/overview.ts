import { type Static, Type } from "typebox";
import {
  Flag,
  Int,
  Model,
  NamedParameters,
  Nullable,
  Num,
  Offset,
  StringEnum,
  Timestamp,
  Uuid,
} from "../schema/index.ts";
import { ListLimit } from "./list-limit.ts";
import { MonitorStatus, MonitorTagFilter, monitorFields } from "./monitors.ts";

/** What a list of monitors is counted and narrowed by, the worst first. */
export const OVERVIEW_STATES = ["down", "degraded", "unknown", "up", "paused"] as const;
export type OverviewState = (typeof OVERVIEW_STATES)[number];

export const RECENT_RESULTS = 40;
const MAX_LISTED = 200;
const Share = (description: string) => Nullable(Num({ minimum: 0, maximum: 100 }), { description });
const Count = () => Int({ minimum: 0 });

/** A result as small as a bar needs it. */
export const RecentResult = Model(
  {
    id: Uuid(),
    status: MonitorStatus,
    message: Nullable(Type.String(), { description: "Null where all is well" }),
    elapsed_ms: Num({ minimum: 0 }),
    checked_at: Timestamp(),
    inconclusive: Flag(),
    maintenance: Flag(),
  },
  { $id: "RecentResult" },
);
export type RecentResult = Static<typeof RecentResult>;

export const MonitorOverview = Model(
  {
    ...monitorFields,
    status_since: Nullable(Timestamp(), {
      description: "Since when the last status has been seen without a break",
    }),
    in_maintenance: Flag({ description: "Whether a maintenance takes place for it at present" }),
    uptime: Model(
      { "24h": Share("Over the last 24 hours"), "30d": Share("Over the last 30 days") },
      { $id: "OverviewUptime" },
    ),
    results: Type.Array(RecentResult, {
      description: `The last ${RECENT_RESULTS}, the newest first`,
    }),
  },
  { $id: "MonitorOverview" },
);
export type MonitorOverview = Static<typeof MonitorOverview>;

export const MonitorsOverview = Model(
  {
    counts: Model(
      { down: Count(), degraded: Count(), unknown: Count(), up: Count(), paused: Count() },
      {
        $id: "OverviewCounts",
        description: "How many of the monitors are in each state, whatever `state` asks for",
      },
    ),
    count: Int({ minimum: 0, description: "How many there are in all" }),
    monitors: Type.Array(MonitorOverview),
  },
  { $id: "MonitorsOverview" },
);
export type MonitorsOverview = Static<typeof MonitorsOverview>;

export const OverviewQuery = NamedParameters({
  id: Type.Optional(Type.Array(Uuid(), { maxItems: MAX_LISTED, description: "Only these" })),
  tag: Type.Optional(MonitorTagFilter),
  state: Type.Optional(
    Type.Array(StringEnum(OVERVIEW_STATES), {
      maxItems: 10,
      description: "`unknown`: no result yet; `paused` goes before every status",
    }),
  ),
  q: Type.Optional(
    Type.String({ maxLength: 200, description: "Only monitors with this text in name or address" }),
  ),
  limit: ListLimit(MAX_LISTED, 50),
  offset: Offset(),
});
export type OverviewQuery = Static<typeof OverviewQuery>;

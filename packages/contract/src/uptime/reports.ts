import { type Static, Type } from "typebox";
import { Int, Model, NamedParameters, Nullable, Num, Timestamp, Uuid } from "../schema/index.ts";
import { MonitorTagFilter } from "./monitors.ts";

const DEFAULT_TARGET = 99.9;

export const SlaQuery = NamedParameters({
  since: Type.Optional(Timestamp({ description: "30 days before `until` when left out" })),
  until: Type.Optional(Timestamp({ description: "Now when left out" })),
  tag: Type.Optional(MonitorTagFilter),
  target: Num({
    minimum: 0,
    maximum: 100,
    default: DEFAULT_TARGET,
    description: "The uptime that was promised, in percent",
  }),
});
export type SlaQuery = Static<typeof SlaQuery>;

const Seconds = (description?: string) =>
  Num({ minimum: 0, ...(description === undefined ? {} : { description }) });
const Latency = () => Nullable(Num({ minimum: 0 }), { description: "Milliseconds" });

export const SlaRecord = Model(
  {
    id: Uuid(),
    name: Type.String(),
    tags: Type.Array(Type.String()),
    uptime_percent: Nullable(Num({ minimum: 0, maximum: 100 }), {
      description: "The time it was up or degraded, of the time that is known; null where none is",
    }),
    up_seconds: Seconds(),
    degraded_seconds: Seconds(),
    down_seconds: Seconds(),
    maintenance_seconds: Seconds(
      "Of the time in which nothing is known: what is maintenance, going by the windows as they are now",
    ),
    unknown_seconds: Seconds("The rest of the range"),
    checks: Int({ minimum: 0 }),
    incidents: Int({
      minimum: 0,
      description: "How many lasted at least for a while within the range",
    }),
    longest_incident_seconds: Nullable(Seconds("Within the range")),
    mean_time_to_repair_seconds: Nullable(Seconds(), {
      description: "From the beginning to the end of those that ended within the range",
    }),
    p50_ms: Latency(),
    p95_ms: Latency(),
    p99_ms: Latency(),
    target_percent: Num(),
    error_budget_seconds: Seconds("How long it may have been down in the time that is known"),
    error_budget_left_seconds: Num({ description: "Below zero where the target is missed" }),
    target_met: Nullable(Type.Boolean(), { description: "Null where nothing is known" }),
  },
  { $id: "SlaRecord" },
);
export type SlaRecord = Static<typeof SlaRecord>;

export const SlaReport = Model(
  {
    from: Timestamp(),
    until: Timestamp(),
    target_percent: Num(),
    monitors: Type.Array(SlaRecord),
  },
  { $id: "SlaReport" },
);
export type SlaReport = Static<typeof SlaReport>;

import { type Static, Type } from "typebox";
import {
  Int,
  Model,
  NamedParameters,
  Nullable,
  Num,
  StringEnum,
  Timestamp,
  Uuid,
} from "../schema/index.ts";

const Share = (description: string) => Nullable(Num({ minimum: 0, maximum: 100 }), { description });
const Latency = () => Nullable(Num({ minimum: 0 }));
const Count = () => Int({ minimum: 0 });

export const LatencyFigures = Model(
  { average: Latency(), p50: Latency(), p95: Latency(), p99: Latency(), max: Latency() },
  { $id: "LatencyFigures", description: "Milliseconds; null where nothing was measured" },
);

const figures = {
  uptime_percent: Share("The time it was up or degraded, of the time that is known"),
  up_seconds: Num({ minimum: 0 }),
  degraded_seconds: Num({ minimum: 0 }),
  down_seconds: Num({ minimum: 0 }),
  checks: Count(),
  up: Count(),
  degraded: Count(),
  down: Count(),
  maintenance: Count(),
  elapsed_ms: LatencyFigures,
};

export const StatsPoint = Model(
  { from: Timestamp(), until: Timestamp(), ...figures },
  { $id: "StatsPoint" },
);
export type StatsPoint = Static<typeof StatsPoint>;

export const MonitorStats = Model(
  {
    monitor_id: Uuid(),
    from: Timestamp(),
    until: Timestamp(),
    ...figures,
    incidents: Count(),
    uptime: Model(
      {
        "24h": Share("Over the last 24 hours"),
        "7d": Share("Over the last 7 days"),
        "30d": Share("Over the last 30 days"),
        "90d": Share("Over the last 90 days"),
      },
      { $id: "UptimeByRange" },
    ),
    downtime_seconds: Model(
      {
        "24h": Num({ minimum: 0 }),
        "7d": Num({ minimum: 0 }),
        "30d": Num({ minimum: 0 }),
        "90d": Num({ minimum: 0 }),
      },
      { $id: "DowntimeByRange", description: "How long it was down in each of these" },
    ),
    step: StringEnum(["minute", "hour", "day"]),
    series: Type.Array(StatsPoint),
  },
  { $id: "MonitorStats" },
);
export type MonitorStats = Static<typeof MonitorStats>;

export const STATS_STEPS = ["minute", "hour", "day"] as const;

export const StatsQuery = NamedParameters({
  since: Type.Optional(Timestamp({ description: "24 hours before `until` when left out" })),
  until: Type.Optional(Timestamp({ description: "Now when left out" })),
  step: Type.Optional(
    StringEnum(STATS_STEPS, {
      description: "The width of the points; fits the range when left out",
    }),
  ),
});
export type StatsQuery = Static<typeof StatsQuery>;

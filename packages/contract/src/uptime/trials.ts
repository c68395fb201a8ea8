import { type Static, Type } from "typebox";
import {
  JsonObject,
  Model,
  NamedParameters,
  Nullable,
  Num,
  Timestamp,
  Uuid,
} from "../schema/index.ts";
import { ListLimit } from "./list-limit.ts";
import { MonitorPipeline, MonitorStatus, MonitorUrl } from "./monitors.ts";

const MAX_TIMES = 20;

/** Checks that are run once, of a monitor that may never be. */
export const CheckTrial = Model(
  {
    url: MonitorUrl,
    pipeline: Type.Optional(Nullable(MonitorPipeline)),
    monitor_id: Type.Optional(
      Nullable(Uuid(), {
        description: "The monitor whose stored secrets the masks in `url` and `pipeline` stand for",
      }),
    ),
  },
  { $id: "CheckTrial" },
);
export type CheckTrial = Static<typeof CheckTrial>;

export const CheckTrialResult = Model(
  {
    status: MonitorStatus,
    message: Type.String({ description: "`<type>: <summary>` of each check, joined by `; `" }),
    elapsed_ms: Num({ minimum: 0 }),
    details: JsonObject({ description: "By type of check; a second check of a type is `http#2`" }),
    checked_at: Timestamp(),
  },
  { $id: "CheckTrialResult" },
);
export type CheckTrialResult = Static<typeof CheckTrialResult>;

export const CronTimesQuery = NamedParameters({
  schedule: Type.String({ minLength: 1, maxLength: 500, examples: ["*/5 8-18 * * MON-FRI"] }),
  timezone: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  limit: ListLimit(MAX_TIMES, 5),
});
export type CronTimesQuery = Static<typeof CronTimesQuery>;

export const CronTimes = Model({ times: Type.Array(Timestamp()) }, { $id: "CronTimes" });
export type CronTimes = Static<typeof CronTimes>;

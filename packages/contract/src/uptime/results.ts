import { type Static, Type } from "typebox";
import {
  Flag,
  JsonObject,
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
import { MONITOR_STATUSES, MonitorStatus, MonitorTag, MonitorTagFilter } from "./monitors.ts";

export const CheckResult = Model(
  {
    id: Uuid(),
    monitor_id: Uuid(),
    status: MonitorStatus,
    message: Type.String({ description: "`<type>: <summary>` of each check, joined by `; `" }),
    elapsed_ms: Num({ minimum: 0 }),
    details: JsonObject({
      description: "By type of check; a second check of a type is `http#2`",
    }),
    checked_at: Timestamp(),
    inconclusive: Flag({
      description: "This server could reach nothing at all, so that it says nothing of the target",
    }),
    maintenance: Flag({ description: "It fell into a maintenance and counts for nothing" }),
  },
  { $id: "CheckResult" },
);
export type CheckResult = Static<typeof CheckResult>;

export const RESULT_ORDERS = ["desc", "asc"] as const;

export const ResultList = NamedParameters({
  limit: ListLimit(1000, 100),
  since: Type.Optional(Timestamp({ description: "From this time on" })),
  until: Type.Optional(
    Timestamp({ description: "Up to this time; up to the monitor's `last_check` when left out" }),
  ),
  status: Type.Optional(Type.Array(StringEnum(MONITOR_STATUSES), { maxItems: 10 })),
  before: Type.Optional(
    Type.String({ maxLength: 200, description: "The `X-Next-Cursor` of the page before" }),
  ),
  offset: Offset(),
  order: Type.Optional(
    StringEnum(RESULT_ORDERS, { default: "desc", description: "Newest first unless `asc`" }),
  ),
});
export type ResultList = Static<typeof ResultList>;

export const CheckAll = NamedParameters({ tag: Type.Optional(MonitorTagFilter) });

/**
 * The same as a body: to check everything because a tag stood in the wrong place would be a
 * surprise.
 */
export const CheckAllBody = Nullable(
  Model({ tag: Type.Optional(Nullable(Type.Union([MonitorTag, MonitorTagFilter]))) }),
);

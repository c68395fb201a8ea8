import { type Static, Type } from "typebox";
import {
  FilterModel,
  Flag,
  Int,
  JsonObject,
  Limit,
  Model,
  NamedParameters,
  Nullable,
  Offset,
  StringEnum,
  Timestamp,
  Uuid,
} from "../schema/index.ts";
import { recordFields } from "./common.ts";

const MAX_NAME = 255;
const MAX_INTERVAL_SECONDS = 86_400;

export const WORKER_STATUSES = ["ONLINE", "OFFLINE"] as const;
const WorkerStatus = StringEnum(WORKER_STATUSES);

export const Worker = Model(
  {
    ...recordFields,
    name: Type.String(),
    work_pool_id: Uuid(),
    last_heartbeat_time: Nullable(Timestamp()),
    heartbeat_interval_seconds: Nullable(Type.Integer()),
    status: WorkerStatus,
  },
  { $id: "Worker" },
);
export type Worker = Static<typeof Worker>;

export const WorkerHeartbeat = NamedParameters({
  name: Type.String({ minLength: 1, maxLength: MAX_NAME }),
  heartbeat_interval_seconds: Type.Optional(
    Int({ minimum: 1, maximum: MAX_INTERVAL_SECONDS, description: "When to expect the next one" }),
  ),
  metadata: Type.Optional(JsonObject({ description: "Accepted and not kept" })),
  return_id: Type.Optional(Flag({ description: "Answer with the worker's id as plain text" })),
});
export type WorkerHeartbeat = Static<typeof WorkerHeartbeat>;

export const WorkPoolOfWorkers = Type.Object({ work_pool_name: Type.String() });
export const WorkerInPool = Type.Object({ work_pool_name: Type.String(), name: Type.String() });

const statuses = () => Type.Array(WorkerStatus);

export const WorkerFilter = FilterModel(
  {
    last_heartbeat_time: { before_: Timestamp(), after_: Timestamp() },
    status: { any_: statuses(), not_any_: statuses() },
  },
  { $id: "WorkerFilter" },
);

export const WORKER_SORTS = [
  "LAST_HEARTBEAT_DESC",
  "NAME_ASC",
  "NAME_DESC",
  "CREATED_DESC",
  "UPDATED_DESC",
] as const;
export type WorkerSort = (typeof WORKER_SORTS)[number];

export const WorkerList = NamedParameters(
  {
    workers: Type.Optional(WorkerFilter),
    sort: Type.Optional(StringEnum(WORKER_SORTS)),
    limit: Limit(),
    offset: Offset(),
  },
  { ownFilter: "workers" },
);

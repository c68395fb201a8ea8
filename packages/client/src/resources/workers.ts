import type {
  JsonObject,
  Static,
  TaskWorker,
  TaskWorkerList,
  Worker,
  WorkerHeartbeat,
  WorkerList,
} from "@orchestrator/contract";
import { del, each, ensure, get, query } from "../transport/operation.ts";
import type { OptionalDefaults } from "../transport/optional-defaults.ts";
import { connectWorker } from "./worker-channel.ts";

type List = OptionalDefaults<Static<typeof WorkerList>>;

export const workers = {
  /** Says that a worker of the pool lives; with `return_id` the answer is its id. */
  heartbeat: ensure<(pool: string, beat: WorkerHeartbeat) => string | undefined>(
    "/work_pools/{work_pool_name}/workers/heartbeat",
  ),
  list: query<(pool: string, filter?: List) => Worker[]>(
    "/work_pools/{work_pool_name}/workers/filter",
  ),
  each: each<(pool: string, filter?: List) => Worker>(
    "/work_pools/{work_pool_name}/workers/filter",
  ),
  delete: del<(pool: string, name: string) => void>("/work_pools/{work_pool_name}/workers/{name}"),
  connect: connectWorker,
};

export const taskWorkers = {
  /** Who is connected to be given background tasks. */
  list: query<(filter?: Static<typeof TaskWorkerList>) => TaskWorker[]>("/task_workers/filter"),
};

export const collections = {
  /** What the server knows about kinds of workers and flows, under the name of a view. */
  readView: get<(view: string) => JsonObject>("/collections/views/{view}"),
};

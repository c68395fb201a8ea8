import type {
  FlowRun,
  Static,
  WorkQueue,
  WorkQueueConcurrency,
  WorkQueueConcurrencyPages,
  WorkQueueCreate,
  WorkQueueHealth,
  WorkQueueList,
  WorkQueuePoll,
  WorkQueueUpdate,
} from "@orchestrator/contract";
import { del, each, get, patch, post, query } from "../transport/operation.ts";
import type { OptionalDefaults } from "../transport/optional-defaults.ts";

type List = OptionalDefaults<Static<typeof WorkQueueList>>;

export const workQueues = {
  /** Creates a queue in a pool. */
  createInPool: post<(pool: string, queue: WorkQueueCreate) => WorkQueue>(
    "/work_pools/{work_pool_name}/queues",
  ),
  readInPool: get<(pool: string, name: string) => WorkQueue>(
    "/work_pools/{work_pool_name}/queues/{name}",
  ),
  updateInPool: patch<(pool: string, name: string, changes: WorkQueueUpdate) => void>(
    "/work_pools/{work_pool_name}/queues/{name}",
    { repeat: "unsent" },
  ),
  deleteInPool: del<(pool: string, name: string) => void>(
    "/work_pools/{work_pool_name}/queues/{name}",
  ),
  listInPool: query<(pool: string, filter?: List) => WorkQueue[]>(
    "/work_pools/{work_pool_name}/queues/filter",
  ),
  eachInPool: each<(pool: string, filter?: List) => WorkQueue>(
    "/work_pools/{work_pool_name}/queues/filter",
  ),
  /** Creates a queue in the pool for agents. */
  create: post<(queue: WorkQueueCreate) => WorkQueue>("/work_queues/"),
  read: get<(id: string) => WorkQueue>("/work_queues/{id}"),
  readByName: get<(name: string) => WorkQueue>("/work_queues/name/{name}"),
  update: patch<(id: string, changes: WorkQueueUpdate) => void>("/work_queues/{id}"),
  delete: del<(id: string) => void>("/work_queues/{id}"),
  list: query<(filter?: List) => WorkQueue[]>("/work_queues/filter"),
  each: each<(filter?: List) => WorkQueue>("/work_queues/filter"),
  health: get<(id: string) => WorkQueueHealth>("/work_queues/{id}/status"),
  poll: query<(id: string, poll?: OptionalDefaults<WorkQueuePoll>) => FlowRun[]>(
    "/work_queues/{id}/get_runs",
  ),
  /** Which runs take up the places of the queue. */
  concurrency: query<
    (
      id: string,
      page?: OptionalDefaults<Static<typeof WorkQueueConcurrencyPages>>,
    ) => WorkQueueConcurrency
  >("/work_queues/{id}/concurrency_status"),
};

import type {
  FlowRunClaims,
  Static,
  WorkerFlowRun,
  WorkPool,
  WorkPoolConcurrency,
  WorkPoolConcurrencyPages,
  WorkPoolCount,
  WorkPoolCreate,
  WorkPoolList,
  WorkPoolPoll,
  WorkPoolUpdate,
} from "@orchestrator/contract";
import type { Given } from "../transport/given.ts";
import { each, get, patch, post, query, remove } from "../transport/operation.ts";

type List = Given<Static<typeof WorkPoolList>>;

export const workPools = {
  create: post<(pool: WorkPoolCreate) => WorkPool>("/work_pools/"),
  read: get<(name: string) => WorkPool>("/work_pools/{name}"),
  update: patch<(name: string, changes: WorkPoolUpdate) => void>("/work_pools/{name}"),
  delete: remove<(name: string) => void>("/work_pools/{name}"),
  list: query<(filter?: List) => WorkPool[]>("/work_pools/filter"),
  each: each<(filter?: List) => WorkPool>("/work_pools/filter"),
  count: query<(filter?: Static<typeof WorkPoolCount>) => number>("/work_pools/count"),
  /** The runs of the pool that are due; with `wait_seconds` the answer comes when there is one. */
  poll: query<(name: string, poll?: Given<WorkPoolPoll>) => WorkerFlowRun[]>(
    "/work_pools/{name}/get_scheduled_flow_runs",
  ),
  /** The same, and claims the runs: they are PENDING when the answer comes. */
  claim: post<(name: string, poll?: Given<WorkPoolPoll>) => FlowRunClaims>(
    "/work_pools/{name}/claim_flow_runs",
  ),
  /** Which runs take up the places of the pool and its queues. */
  concurrency: query<
    (name: string, page?: Given<Static<typeof WorkPoolConcurrencyPages>>) => WorkPoolConcurrency
  >("/work_pools/{name}/concurrency_status"),
};

import type {
  FlowRunClaims,
  Static,
  WorkerFlowRun,
  WorkPool,
  WorkPoolClaim,
  WorkPoolConcurrency,
  WorkPoolConcurrencyPages,
  WorkPoolCount,
  WorkPoolCreate,
  WorkPoolList,
  WorkPoolPoll,
  WorkPoolUpdate,
} from "@orchestrator/contract";
import { del, each, get, patch, post, query } from "../transport/operation.ts";
import type { OptionalDefaults } from "../transport/optional-defaults.ts";

type List = OptionalDefaults<Static<typeof WorkPoolList>>;

export const workPools = {
  create: post<(pool: WorkPoolCreate) => WorkPool>("/work_pools/"),
  read: get<(name: string) => WorkPool>("/work_pools/{name}"),
  update: patch<(name: string, changes: WorkPoolUpdate) => void>("/work_pools/{name}"),
  delete: del<(name: string) => void>("/work_pools/{name}"),
  list: query<(filter?: List) => WorkPool[]>("/work_pools/filter"),
  each: each<(filter?: List) => WorkPool>("/work_pools/filter"),
  count: query<(filter?: Static<typeof WorkPoolCount>) => number>("/work_pools/count"),
  /** The runs of the pool that are due; with `wait_seconds` the answer comes when there is one. */
  poll: query<(name: string, poll?: OptionalDefaults<WorkPoolPoll>) => WorkerFlowRun[]>(
    "/work_pools/{name}/get_scheduled_flow_runs",
  ),
  /** The same, and claims the runs: they are PENDING when the answer comes. */
  claim: post<(name: string, poll?: OptionalDefaults<WorkPoolClaim>) => FlowRunClaims>(
    "/work_pools/{name}/claim_flow_runs",
  ),
  /** Which runs take up the places of the pool and its queues. */
  concurrency: query<
    (
      name: string,
      page?: OptionalDefaults<Static<typeof WorkPoolConcurrencyPages>>,
    ) => WorkPoolConcurrency
  >("/work_pools/{name}/concurrency_status"),
};

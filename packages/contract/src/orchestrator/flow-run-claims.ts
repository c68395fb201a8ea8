import { type Static, Type } from "typebox";
import { Model, Nullable, Uuid } from "../schema/index.ts";
import { Deployment } from "./deployments.ts";
import { FlowRun } from "./flow-runs.ts";
import { State } from "./states.ts";
import { WorkPool } from "./work-pools.ts";

export const ClaimedFlowRun = Model(
  {
    work_pool_id: Uuid(),
    work_queue_id: Uuid(),
    /** As it was before the claim. */
    flow_run: FlowRun,
    /** PENDING, with the id of the claim. */
    state: State,
  },
  { $id: "ClaimedFlowRun" },
);
export type ClaimedFlowRun = Static<typeof ClaimedFlowRun>;

/** A run of a served deployment that was claimed. */
export const ServedFlowRun = Model(
  { flow_run: FlowRun, state: State },
  { $id: "ServedFlowRun", description: "A run as it was before the claim, and the PENDING state" },
);
export type ServedFlowRun = Static<typeof ServedFlowRun>;

/** Runs that a worker has claimed, and what it needs to start them. */
export const FlowRunClaims = Model(
  {
    flow_runs: Type.Array(ClaimedFlowRun),
    /** Those of the runs, each once. */
    deployments: Type.Array(Deployment),
    /** Null where there are no runs. */
    work_pool: Nullable(WorkPool),
  },
  { $id: "FlowRunClaims" },
);
export type FlowRunClaims = Static<typeof FlowRunClaims>;

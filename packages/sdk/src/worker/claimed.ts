import type { Deployment, FlowRun, FlowRunClaims, State, WorkPool } from "@orchestrator/contract";

/** A run that was claimed, and what the server knew of it then. */
export interface Claimed {
  readonly run: FlowRun;
  readonly claim: State;
  /** Null where the server is to be asked. */
  readonly deployment: Deployment | null;
  readonly pool: WorkPool | null;
}

/** Each with its deployment; null for a run of one that was deleted meanwhile. */
export function claimedRuns({ flow_runs, deployments, work_pool: pool }: FlowRunClaims): Claimed[] {
  const known = new Map(deployments.map((deployment) => [deployment.id, deployment]));
  return flow_runs.map(({ flow_run: run, state: claim }) => ({
    run,
    claim,
    pool,
    deployment: known.get(run.deployment_id ?? "") ?? null,
  }));
}

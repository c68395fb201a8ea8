// A poll that claims: runs are PENDING before they are returned, which saves a request for each.

import type {
  Deployment,
  FlowRun,
  FlowRunClaims,
  Labels,
  WorkPool,
  WorkPoolClaim,
} from "@orchestrator/contract";
import { readJson, writeJson } from "@orchestrator/exact-json";
import type { Scope } from "@orchestrator/kernel/scope";
import type { JsonText } from "@orchestrator/kernel/storage";
import type { OrchestratorContext } from "../../context.ts";
import type { DispatchedRun } from "../../polling/dispatched-runs.ts";
import { findOffers } from "../../work/pools/polling.service.ts";
import { findWorkPool } from "../../work/pools/work-pools.store.ts";
import { findDeployment } from "../deployment/deployments.store.ts";
import { type Claim, claimOffers } from "./claim-offers.service.ts";

interface ClaimingPoll<Poll> {
  readonly poll: Poll;
  /** Fires when the client has disconnected. */
  readonly gone: AbortSignal;
}

/** The due runs of a pool that could be claimed; with `wait_seconds`, as soon as there are any. */
export async function claimFlowRuns(
  ctx: OrchestratorContext,
  scope: Scope,
  { name, poll, gone }: ClaimingPoll<WorkPoolClaim> & { readonly name: string },
): Promise<JsonText<FlowRunClaims>> {
  const { wait_seconds: waitSeconds, worker_name: worker } = poll;
  const readPool = () => findWorkPool(ctx.db.in(scope.workspaceId), name);
  const claims = await claimOffers(ctx, scope, {
    waitSeconds,
    gone,
    find: (wait_seconds) =>
      findOffers(ctx, scope, { name, poll: { ...poll, ...wait_seconds }, gone: () => gone }),
    labels: async () => (worker === undefined ? {} : workerLabels(worker, await readPool())),
  });
  return claimsJson(ctx, scope, { pool: claims.length === 0 ? null : await readPool(), claims });
}

function workerLabels(worker: string, poolJson: JsonText<WorkPool> | null): Labels {
  const pool = poolJson === null ? null : (readJson(poolJson) as WorkPool);
  return {
    "orchestrator.worker.name": worker,
    ...(pool !== null && {
      "orchestrator.worker.type": pool.type,
      "orchestrator.work-pool.name": pool.name,
    }),
  };
}

async function claimsJson(
  ctx: OrchestratorContext,
  scope: Scope,
  { pool, claims }: { readonly pool: JsonText<WorkPool> | null; readonly claims: readonly Claim[] },
): Promise<JsonText<FlowRunClaims>> {
  if (claims.length === 0) return `{"flow_runs":[],"deployments":[],"work_pool":null}`;
  const queries = ctx.db.in(scope.workspaceId);
  const now = ctx.clock.now();
  const ids = new Set(claims.flatMap(({ offer }) => deploymentOf(offer) ?? []));
  const deployments = await Promise.all([...ids].map((id) => findDeployment(queries, { id }, now)));
  const runs = claims.map(
    ({ offer, state }) => `${offer.json.slice(0, -1)},"state":${writeJson(state)}}`,
  );
  const found: JsonText<Deployment>[] = deployments.filter((each) => each !== null);
  const work_pool: JsonText<WorkPool> = pool ?? "null";
  return `{"flow_runs":[${runs.join(",")}],"deployments":[${found.join(",")}],"work_pool":${work_pool}}`;
}

const deploymentOf = ({ json }: DispatchedRun): string | null =>
  (readJson(json) as { readonly flow_run: FlowRun }).flow_run.deployment_id;

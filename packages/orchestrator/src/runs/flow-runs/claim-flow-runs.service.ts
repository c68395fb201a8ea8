// A poll that claims: runs are PENDING before they are returned, which saves a request for each.

import type {
  Deployment,
  FlowRun,
  FlowRunClaims,
  Labels,
  State,
  WorkPool,
  WorkPoolClaim,
} from "@orchestrator/contract";
import { readJson, writeJson } from "@orchestrator/exact-json";
import { isAppError } from "@orchestrator/kernel/pure";
import type { Scope } from "@orchestrator/kernel/scope";
import type { JsonText } from "@orchestrator/kernel/storage";
import type { OrchestratorContext } from "../../context.ts";
import type { DispatchedRun } from "../../polling/dispatched-runs.ts";
import { findOffers } from "../../work/pools/polling.service.ts";
import { findWorkPool } from "../../work/pools/work-pools.store.ts";
import { findDeployment } from "../deployment/deployments.store.ts";
import { setFlowRunState } from "../orchestration/set-flow-run-state.ts";

interface ClaimingPoll {
  readonly name: string;
  readonly poll: WorkPoolClaim;
  /** Fires when the client has disconnected. */
  readonly gone: AbortSignal;
}

interface Claim {
  readonly offer: DispatchedRun;
  readonly state: State;
}

const MICROS_PER_SECOND = 1_000_000;

/** The due runs of a pool that could be claimed; with `wait_seconds`, as soon as there are any. */
export async function claimFlowRuns(
  ctx: OrchestratorContext,
  scope: Scope,
  { name, poll, gone }: ClaimingPoll,
): Promise<JsonText<FlowRunClaims>> {
  const { wait_seconds: seconds, worker_name } = poll;
  const until = ctx.clock.nowMicros() + (seconds ?? 0) * MICROS_PER_SECOND;
  for (;;) {
    const left = Math.max(0, (until - ctx.clock.nowMicros()) / MICROS_PER_SECOND);
    const waiting = seconds === undefined ? poll : { ...poll, wait_seconds: left };
    const offers = await findOffers(ctx, scope, { name, poll: waiting, gone: () => gone });
    const pool =
      offers.length === 0 ? null : await findWorkPool(ctx.db.in(scope.workspaceId), name);
    const labels = worker_name === undefined ? {} : workerLabels(worker_name, pool);
    const claims = await claimAll(ctx, scope, { offers, labels });
    const isOver = offers.length === 0 || left === 0 || gone.aborted;
    if (claims.length === 0 && !isOver) continue;
    releaseIfGone(ctx, scope, { claims, gone });
    return claimsJson(ctx, scope, { pool, claims });
  }
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

/** They share a commit. A run that went to another worker, or has no slot now, is left out. */
async function claimAll(
  ctx: OrchestratorContext,
  scope: Scope,
  { offers, labels }: { readonly offers: readonly DispatchedRun[]; readonly labels: Labels },
): Promise<Claim[]> {
  const failures: unknown[] = [];
  const claims = await Promise.all(
    offers.map(async (offer): Promise<Claim | null> => {
      try {
        const state = { type: "PENDING" as const };
        const proposal = { id: offer.id, state, executor: { labels } };
        const { status, state: claim } = await setFlowRunState(ctx, scope, proposal);
        return status === "ACCEPT" && claim?.type === "PENDING" ? { offer, state: claim } : null;
      } catch (error) {
        if (!isAppError(error, "not_found")) failures.push(error);
        return null;
      }
    }),
  );
  const made = claims.filter((claim) => claim !== null);
  // Those that were claimed must reach the worker, whatever has become of the others.
  if (made.length === 0 && failures.length > 0) throw failures[0];
  return made;
}

/** Releases the claims of a worker that disconnected before it had the answer. */
function releaseIfGone(
  ctx: OrchestratorContext,
  scope: Scope,
  { claims, gone }: { readonly claims: readonly Claim[]; readonly gone: AbortSignal },
): void {
  const release = (): void => {
    for (const { offer, state } of claims) {
      const message = "The worker that claimed it was gone before it had the answer";
      const state_details = { claim_id: state.state_details.claim_id ?? null };
      const released = { type: "SCHEDULED" as const, message, state_details };
      setFlowRunState(ctx, scope, { id: offer.id, state: released, ifStateId: state.id }).catch(
        (error: unknown) => {
          // It is offered again when the time of the claim is over.
          ctx.log.warn({ err: error, flowRunId: offer.id }, "A claim could not be released");
        },
      );
    }
  };
  if (gone.aborted) release();
  else gone.addEventListener("abort", release, { once: true });
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

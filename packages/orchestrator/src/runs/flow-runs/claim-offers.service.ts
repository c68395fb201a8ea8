// Claims what a poll is offered: runs are PENDING before they are returned, which saves a request
// for each.

import type { Labels, State } from "@orchestrator/contract";
import { isAppError } from "@orchestrator/kernel/pure";
import type { Scope } from "@orchestrator/kernel/scope";
import type { OrchestratorContext } from "../../context.ts";
import type { DispatchedRun } from "../../polling/dispatched-runs.ts";
import { setFlowRunState } from "../orchestration/set-flow-run-state.ts";

export interface Claim {
  readonly offer: DispatchedRun;
  readonly state: State;
}

const MICROS_PER_SECOND = 1_000_000;

interface OffersToClaim {
  readonly waitSeconds: number | undefined;
  readonly gone: AbortSignal;
  readonly find: (wait: { readonly wait_seconds?: number }) => Promise<readonly DispatchedRun[]>;
  /** Added to the labels of each claimed run. */
  readonly labels: () => Promise<Labels>;
}

/** With `waitSeconds`, as soon as one could be claimed. */
export async function claimOffers(
  ctx: OrchestratorContext,
  scope: Scope,
  { waitSeconds, gone, find, labels }: OffersToClaim,
): Promise<readonly Claim[]> {
  const until = ctx.clock.nowMicros() + (waitSeconds ?? 0) * MICROS_PER_SECOND;
  for (;;) {
    const left = Math.max(0, (until - ctx.clock.nowMicros()) / MICROS_PER_SECOND);
    const offers = await find(waitSeconds === undefined ? {} : { wait_seconds: left });
    const isOver = offers.length === 0 || left === 0 || gone.aborted;
    const claims =
      offers.length === 0 ? [] : await claimAll(ctx, scope, { offers, labels: await labels() });
    if (claims.length === 0 && !isOver) continue;
    releaseIfGone(ctx, scope, { claims, gone });
    return claims;
  }
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

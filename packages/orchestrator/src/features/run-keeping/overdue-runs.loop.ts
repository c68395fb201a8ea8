// Nothing stays PENDING, PAUSED, CANCELLING or RUNNING for ever: when whoever looks after a run has gone, the server
// decides.

import type { StateCreate, StateType } from "@orchestrator/contract";
import type { OrchestratorContext } from "../../context.ts";
import { plusSeconds } from "../../orchestration/derive-run.ts";
import { REOFFERED } from "../../orchestration/flow-run-rules/fence-late-claimant.ts";
import { setFlowRunState } from "../../orchestration/set-flow-run-state.ts";
import { oneByOne } from "./one-by-one.ts";
import { findOverdueRuns, type OverdueRun } from "./run-keeping.store.ts";

const MAX_PER_PASS = 200;

const OFFER_AGAIN: StateCreate = {
  type: "SCHEDULED",
  name: REOFFERED,
  message: "Whoever claimed the run went silent, so it is offered again",
};

const NEVER_STARTED: StateCreate = {
  type: "CRASHED",
  message: "The process that was to run it never started it",
};

/** What becomes of a run whose deadline has passed, by the state it is in. */
const DECISIONS: Partial<Record<StateType, StateCreate>> = {
  SCHEDULED: NEVER_STARTED,
  PENDING: NEVER_STARTED,
  PAUSED: { type: "FAILED", message: "The run was paused and not resumed in time" },
  CANCELLING: { type: "CANCELLED", message: "Nobody confirmed that the run was stopped in time" },
  RUNNING: { type: "CRASHED", message: "The run stopped sending heartbeats" },
};

/** Three heartbeats of the longest usual interval. */
const HEARING_SECONDS = 540;
/** A pause between two passes that says that the server, or its database, was away. */
const AWAY_SECONDS = 30;

/**
 * A pass over what is overdue. A run that was silent is judged only when the server itself has listened for long enough, since
 * it started and since it was away last: before that the silence may have been its own.
 */
export function createOverdueTick(
  ctx: OrchestratorContext,
): (signal: AbortSignal) => Promise<number> {
  let listeningSince = ctx.clock.now();
  let lastPass = listeningSince;
  return async (signal) => {
    const now = ctx.clock.now();
    if (plusSeconds(lastPass, AWAY_SECONDS) < now) listeningSince = now;
    const decided = await decide(ctx, signal, plusSeconds(listeningSince, HEARING_SECONDS) <= now);
    lastPass = now;
    return decided;
  };
}

/** `isHeard`: whether silence of a run would have been noticed. */
export async function decide(
  ctx: OrchestratorContext,
  signal: AbortSignal,
  isHeard: boolean,
): Promise<number> {
  const now = ctx.clock.now();
  const runs = await findOverdueRuns(ctx.db, { now, limit: MAX_PER_PASS, isHeard });
  return oneByOne(ctx, { runs, signal }, async (run) => {
    const state = decisionFor(run);
    if (state === undefined || run.state_id === null) return false;
    const result = await setFlowRunState(
      ctx,
      { workspaceId: run.workspace_id },
      { id: run.id, state, force: true, ifStateId: run.state_id },
    );
    return result.status === "ACCEPT";
  });
}

/** Somebody else can be offered only what somebody polls for. */
function decisionFor({ state_type, ...run }: OverdueRun): StateCreate | undefined {
  if (state_type === null) return undefined;
  const isPolled = run.deployment_id !== null || run.work_queue_id !== null;
  const wasClaimed = state_type === "PENDING" || state_type === "SCHEDULED";
  return wasClaimed && isPolled ? OFFER_AGAIN : DECISIONS[state_type];
}

// Nothing stays PENDING, PAUSED, CANCELLING or RUNNING for ever: when whoever looks after a run has gone, the server
// decides.

import type { StateCreate, StateType } from "@orchestrator/contract";
import type { OrchestratorContext } from "../../context.ts";
import { plusSeconds } from "../../orchestration/derive-run.ts";
import { REOFFERED } from "../../orchestration/flow-run-rules/fence-late-claimant.ts";
import type { RunState } from "../../orchestration/run-state.ts";
import { setFlowRunState } from "../../orchestration/set-flow-run-state.ts";
import { findOverdueRuns, type OverdueRun } from "./run-keeping.store.ts";

const MAX_PER_PASS = 200;

const OFFER_AGAIN: StateCreate = {
  type: "SCHEDULED",
  name: REOFFERED,
  message: "Whoever claimed the run went silent, so it is offered again",
};

/** What becomes of a run whose deadline has passed, by the state it is in. */
const DECISIONS: Partial<Record<StateType, StateCreate>> = {
  PENDING: { type: "CRASHED", message: "The process that made the run never started it" },
  PAUSED: { type: "FAILED", message: "The run was paused and not resumed in time" },
  CANCELLING: { type: "CANCELLED", message: "Nobody confirmed that the run was stopped in time" },
  RUNNING: { type: "CRASHED", message: "The run stopped sending heartbeats" },
};

/** Three heartbeats of the longest usual interval. */
const HEARING_SECONDS = 540;

/**
 * `listeningSince`: when this server began to hear heartbeats. Before it has listened long enough, the silence may have been
 * its own.
 */
export async function tick(
  ctx: OrchestratorContext,
  signal: AbortSignal,
  listeningSince: string,
): Promise<number> {
  const now = ctx.clock.now();
  const hears = plusSeconds(listeningSince, HEARING_SECONDS) <= now;
  let decided = 0;
  for (const run of await findOverdueRuns(ctx.db, { now, limit: MAX_PER_PASS })) {
    if (signal.aborted) break;
    if (run.state_type === "RUNNING" && !hears) continue;
    const state = decisionFor(run);
    if (state === undefined || run.state_id === null) continue;
    const result = await setFlowRunState(
      ctx,
      { workspaceId: run.workspace_id },
      {
        id: run.id,
        state,
        force: true,
        ifStateId: run.state_id,
      },
    );
    if (result.status === "ACCEPT") decided += 1;
  }
  return decided;
}

function decisionFor(run: OverdueRun): StateCreate | undefined {
  const { state_type, deployment_id, state } = run;
  if (state_type === null || state === null) return undefined;
  const isOffered =
    deployment_id !== null || (JSON.parse(state) as RunState).state_details.claim_id !== null;
  return state_type === "PENDING" && isOffered ? OFFER_AGAIN : DECISIONS[state_type];
}

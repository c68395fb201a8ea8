// Nothing stays PENDING, PAUSED, CANCELLING or RUNNING for ever: when whoever looks after a run has gone, the server
// decides.

import type { StateCreate, StateType } from "@orchestrator/contract";
import { plusSeconds, readUnreadSince } from "@orchestrator/kernel";
import { actAs } from "../../act-as.ts";
import type { OrchestratorContext } from "../../context.ts";
import { REOFFERED } from "../../orchestration/flow-run-rules/fence-late-claimant.ts";
import { setFlowRunState } from "../../orchestration/set-flow-run-state.ts";
import { TASK_RUN_RECORDER } from "../task-run-recorder/task-run-recorder.store.ts";
import { askForTeardown } from "../workers/worker-cleanups.service.ts";
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

/** A pause between two passes that says that the server, or its database, was away. */
const AWAY_SECONDS = 30;
/** What was received a moment ago may not have been committed yet. */
const SETTLING_SECONDS = 10;
const MICROS_PER_SECOND = 1_000_000;

/**
 * A pass over what is overdue. A run that is silent is judged only when all that it may have sent until its deadline was
 * read, and when the server has listened, since it started and since it was away last, for as long as the run may be
 * silent: otherwise the silence may be the server's own.
 */
export function createOverdueTick(
  ctx: OrchestratorContext,
): (signal: AbortSignal) => Promise<number> {
  let listeningSince = ctx.clock.nowMicros();
  let lastPass = listeningSince;
  return async (signal) => {
    const now = ctx.clock.nowMicros();
    if (now - lastPass > AWAY_SECONDS * MICROS_PER_SECOND) listeningSince = now;
    const decided = await decide(ctx, signal, (now - listeningSince) / MICROS_PER_SECOND);
    lastPass = now;
    return decided;
  };
}

export async function decide(
  ctx: OrchestratorContext,
  signal: AbortSignal,
  listenedSeconds: number,
): Promise<number> {
  const now = ctx.clock.now();
  const unread = await readUnreadSince(ctx.db, TASK_RUN_RECORDER);
  const heardUntil = plusSeconds(unread ?? now, -SETTLING_SECONDS);
  const query = { now, limit: MAX_PER_PASS, heardUntil, listenedSeconds };
  const runs = await findOverdueRuns(ctx.db, query);
  return oneByOne(ctx, { runs, signal }, async (run) => {
    const state = decisionFor(run);
    if (state === undefined || run.state_id === null || run.deadline === null) return false;
    const scope = actAs(ctx, "deadlines", {
      operation: "POST /api/flow_runs/{id}/set_state",
      workspaceId: run.workspace_id,
      requestId: run.id,
    });
    // Before it is over: if the server stops in between, the run is looked at again.
    if (run.state_type === "CANCELLING")
      await askForTeardown(ctx, scope, { flow_run_id: run.id, state_id: run.state_id });
    const result = await setFlowRunState(ctx, scope, {
      id: run.id,
      state,
      force: true,
      ifStateId: run.state_id,
      ifDeadline: run.deadline,
    });
    return result.status === "ACCEPT";
  });
}

/** Somebody else can be offered only what somebody polls for. */
function decisionFor({ state_type, is_polled }: OverdueRun): StateCreate | undefined {
  if (state_type === null) return undefined;
  const wasClaimed = state_type === "PENDING" || state_type === "SCHEDULED";
  return wasClaimed && is_polled ? OFFER_AGAIN : DECISIONS[state_type];
}

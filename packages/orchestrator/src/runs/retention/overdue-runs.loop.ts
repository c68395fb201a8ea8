// Nothing stays PENDING, PAUSED, CANCELLING or RUNNING for ever: when whoever looks after a run has
// gone, the server decides.

import type { StateCreate, StateType } from "@orchestrator/contract";
import { readUnreadSince } from "@orchestrator/kernel/events";
import { plusSeconds } from "@orchestrator/kernel/pure";
import type { OrchestratorContext } from "../../context.ts";
import { scopeOfService } from "../../service-scope.ts";
import { requestTeardown } from "../../work/workers/worker-cleanups.service.ts";
import { OVERDUE_POLICY } from "../orchestration/flow-run-policy.ts";
import { REOFFERED } from "../orchestration/flow-run-rules/fence-late-claimant.ts";
import { setFlowRunState } from "../orchestration/set-flow-run-state.ts";
import { TASK_RUN_RECORDER } from "../task-run-recorder/task-run-recorder.store.ts";
import { oneByOne } from "./one-by-one.ts";
import { findOverdueRuns, type OverdueRun } from "./run-upkeep.store.ts";

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

/** What was received a moment ago may not have been committed yet. */
const SETTLING_SECONDS = 10;
const MICROS_PER_SECOND = 1_000_000;

/**
 * A pass over what is overdue. A run that is silent is judged only when all that it may have sent
 * until its deadline was read, and when the server has listened, since it could not hear last, for
 * as long as the run may be silent: its process may need a while to find the way back.
 */
export async function endOverdueRuns(
  ctx: OrchestratorContext,
  signal: AbortSignal,
): Promise<number> {
  if (!(await ctx.hearing.listen())) return 0;
  const now = ctx.clock.now();
  const listenedMicros = ctx.clock.nowMicros() - ctx.hearing.since();
  const listenedSeconds = Math.min(listenedMicros / MICROS_PER_SECOND, Number.MAX_SAFE_INTEGER);
  const unread = await readUnreadSince(ctx.db, TASK_RUN_RECORDER);
  const heardUntil = plusSeconds(unread ?? now, -SETTLING_SECONDS);
  const query = { now, limit: MAX_PER_PASS, heardUntil, listenedSeconds };
  const runs = await findOverdueRuns(ctx.db, query);
  return oneByOne(ctx, { runs, signal }, async (run) => {
    const state = decisionFor(run);
    if (state === undefined || run.state_id === null || run.deadline === null) return false;
    const scope = scopeOfService(ctx, "deadlines", {
      operation: "POST /api/flow_runs/{id}/set_state",
      workspaceId: run.workspace_id,
      requestId: run.id,
    });
    // Before it is over: if the server stops in between, the run is looked at again.
    if (run.state_type === "CANCELLING")
      await requestTeardown(ctx, scope, { flow_run_id: run.id, state_id: run.state_id });
    const result = await setFlowRunState(ctx, scope, {
      id: run.id,
      state,
      rules: OVERDUE_POLICY,
      ifStateId: run.state_id,
      ifDeadline: run.deadline,
    });
    // A crashed run may be scheduled again instead.
    return result.status === "ACCEPT" || result.status === "REJECT";
  });
}

/** Somebody else can be offered only what somebody polls for. */
function decisionFor({ state_type, is_polled }: OverdueRun): StateCreate | undefined {
  if (state_type === null) return undefined;
  const wasClaimed = state_type === "PENDING" || state_type === "SCHEDULED";
  return wasClaimed && is_polled ? OFFER_AGAIN : DECISIONS[state_type];
}

import type { OrchestratorContext } from "../../context.ts";
import { proposeFlowRunState } from "../../runs/orchestration/set-flow-run-state.ts";
import { oneByOne } from "../../runs/retention/one-by-one.ts";
import { scopeOfService } from "../../service-scope.ts";
import {
  FIRST_UNREAD,
  listRunsToWake,
  markWaitsRead,
  type SuspendedRun,
} from "./wake-runs.store.ts";

const AT_ONCE = 200;

/**
 * Offers suspended runs for which an event has come. A wait stays unread until its run reads it or
 * is woken for it, so a run that was suspended at the same moment is found by the next pass. Waits
 * of a run that cannot be woken stay unread too, and the pass continues behind them.
 */
export async function wakeRuns(ctx: OrchestratorContext, signal: AbortSignal): Promise<number> {
  let woken = 0;
  let after = FIRST_UNREAD;
  for (;;) {
    const waits = await listRunsToWake(ctx.db, { after, limit: AT_ONCE });
    const runs = [...new Map(waits.map((wait) => [wait.id, wait])).values()];
    woken += await oneByOne(ctx, { runs, signal }, (run) => wakeRun(ctx, run));
    const last = waits.at(-1);
    if (signal.aborted || last === undefined || waits.length < AT_ONCE) return woken;
    after = last;
  }
}

async function wakeRun(
  ctx: OrchestratorContext,
  { id, workspace_id, state_id, event }: SuspendedRun,
): Promise<boolean> {
  const { workspaceId } = scopeOfService(ctx, "deadlines", {
    operation: "POST /api/flow_runs/{id}/set_state",
    workspaceId: workspace_id,
    requestId: id,
  });
  return ctx.db.write(workspaceId, async (tx) => {
    const { status } = await proposeFlowRunState(ctx, tx, {
      id,
      state: { type: "SCHEDULED", name: "Resuming", message: `The event ${event} has come` },
      // Another wait of the run, or a person, may have been first.
      ifStateId: state_id,
    });
    if (status !== "ACCEPT") return false;
    // Once per event: a flow that no longer makes the call would be woken without end. If this
    // execution is lost, its recovery executes the run again, and the outcome is still stored.
    await markWaitsRead(tx, id);
    return true;
  });
}

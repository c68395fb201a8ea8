import type { OrchestratorContext } from "../../context.ts";
import { setFlowRunState } from "../../runs/orchestration/set-flow-run-state.ts";
import { oneByOne } from "../../runs/retention/one-by-one.ts";
import { scopeOfService } from "../../service-scope.ts";
import { FIRST_UNREAD, listRunsToWake, type SuspendedRun } from "./wake-runs.store.ts";

const AT_ONCE = 200;

/**
 * Offers suspended runs for which an event has come. What has ended stays unread until its run
 * reads it, so a run that was suspended at the same moment is found by the next pass. A run that
 * cannot be woken stays unread too, and the pass continues behind it.
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
  const scope = scopeOfService(ctx, "deadlines", {
    operation: "POST /api/flow_runs/{id}/set_state",
    workspaceId: workspace_id,
    requestId: id,
  });
  const { status } = await setFlowRunState(ctx, scope, {
    id,
    state: { type: "SCHEDULED", name: "Resuming", message: `The event ${event} has come` },
    // Another wait of the run, or a person, may have been first.
    ifStateId: state_id,
  });
  return status === "ACCEPT";
}

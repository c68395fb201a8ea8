import type { OrchestratorContext } from "../../context.ts";
import { setFlowRunState } from "../../runs/orchestration/set-flow-run-state.ts";
import { scopeOfService } from "../../service-scope.ts";
import { findRunsToWake } from "./wake-runs.store.ts";

const AT_ONCE = 200;

/**
 * Offers suspended runs for which an event has come. What has ended stays unread until its run
 * reads it, so a run that was suspended at the same moment is found by the next pass.
 */
export async function wakeRuns(ctx: OrchestratorContext, signal: AbortSignal): Promise<number> {
  let woken = 0;
  for (;;) {
    const runs = await findRunsToWake(ctx.db, AT_ONCE);
    let changed = 0;
    for (const { id, workspace_id, state_id, event } of runs) {
      if (signal.aborted) return woken;
      const scope = scopeOfService(ctx, "deadlines", {
        operation: "POST /api/flow_runs/{id}/set_state",
        workspaceId: workspace_id,
        requestId: id,
      });
      const result = await setFlowRunState(ctx, scope, {
        id,
        state: { type: "SCHEDULED", name: "Resuming", message: `The event ${event} has come` },
        // Another wait of the run, or a person, may have been first.
        ifStateId: state_id,
      });
      if (result.status === "ACCEPT") changed += 1;
    }
    woken += changed;
    if (runs.length < AT_ONCE || changed === 0) return woken;
  }
}

import { formatMicros } from "@orchestrator/kernel/pure";
import type { OrchestratorContext } from "../../context.ts";
import { scopeOfService } from "../../service-scope.ts";
import { LATE_POLICY } from "../orchestration/flow-run-policy.ts";
import { setFlowRunState } from "../orchestration/set-flow-run-state.ts";
import { fewAtOnce } from "./one-by-one.ts";
import { findLateRuns } from "./run-upkeep.store.ts";

const MAX_PER_PASS = 400;

/** Calls runs late that should have been claimed some time ago. They can still be claimed. */
export async function markLateRuns(ctx: OrchestratorContext, signal: AbortSignal): Promise<number> {
  // Nobody could claim a run while the server could not hear.
  if (!(await ctx.hearing.listen())) return 0;
  const now = ctx.clock.nowMicros();
  const before = formatMicros(ctx.hearing.heardFrom(now, ctx.settings.lateAfter * 1000));
  const runs = await findLateRuns(ctx.db, { before, limit: MAX_PER_PASS });
  return fewAtOnce(ctx, { runs, signal }, async (run) => {
    const { id, workspace_id, state_id, next_scheduled_start_time: scheduled_time } = run;
    const scope = scopeOfService(ctx, "deadlines", {
      operation: "POST /api/flow_runs/{id}/set_state",
      workspaceId: workspace_id,
      requestId: id,
    });
    const result = await setFlowRunState(ctx, scope, {
      id,
      state: { type: "SCHEDULED", name: "Late", state_details: { scheduled_time } },
      ...(state_id !== null && { ifStateId: state_id }),
      rules: LATE_POLICY,
    });
    return result.status === "ACCEPT";
  });
}

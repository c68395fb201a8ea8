import type { OrchestratorContext } from "../../context.ts";
import { plusSeconds } from "../../orchestration/derive-run.ts";
import { LATE_POLICY } from "../../orchestration/flow-run-policy.ts";
import { setFlowRunState } from "../../orchestration/set-flow-run-state.ts";
import { findLateRuns } from "./run-keeping.store.ts";

const MAX_PER_PASS = 400;

/** Calls runs late that should have been claimed some time ago. They can still be claimed. */
export async function tick(ctx: OrchestratorContext, signal: AbortSignal): Promise<number> {
  const before = plusSeconds(ctx.clock.now(), -ctx.settings.lateAfter / 1000);
  let marked = 0;
  for (const run of await findLateRuns(ctx.db, { before, limit: MAX_PER_PASS })) {
    if (signal.aborted) break;
    const result = await setFlowRunState(
      ctx,
      { workspaceId: run.workspace_id },
      {
        id: run.id,
        state: {
          type: "SCHEDULED",
          name: "Late",
          state_details: { scheduled_time: run.next_scheduled_start_time },
        },
        ...(run.state_id !== null && { ifStateId: run.state_id }),
        rules: LATE_POLICY,
      },
    );
    if (result.status === "ACCEPT") marked += 1;
  }
  return marked;
}

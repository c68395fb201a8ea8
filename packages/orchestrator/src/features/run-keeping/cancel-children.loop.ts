import type { OrchestratorContext } from "../../context.ts";
import { plusSeconds } from "../../orchestration/derive-run.ts";
import { setFlowRunState } from "../../orchestration/set-flow-run-state.ts";
import { setTaskRunState } from "../../orchestration/set-task-run-state.ts";
import { findOrphanSubflows, findOrphanTasks } from "./run-keeping.store.ts";

const DAY_SECONDS = 86_400;
const MAX_PER_PASS = 200;
const MESSAGE = "The flow run that it belongs to was cancelled";

/** What a cancelled run has left behind is cancelled, too: its task runs, and the runs inside it. */
export async function tick(ctx: OrchestratorContext, signal: AbortSignal): Promise<number> {
  const since = plusSeconds(ctx.clock.now(), -DAY_SECONDS);
  let cancelled = 0;
  for (const task of await findOrphanTasks(ctx.db, { since, limit: MAX_PER_PASS })) {
    if (signal.aborted) return cancelled;
    const scope = { workspaceId: task.workspace_id };
    const state = { type: "CANCELLED" as const, message: MESSAGE };
    await setTaskRunState(ctx, scope, { id: task.id, state, force: true });
    cancelled += 1;
  }
  for (const run of await findOrphanSubflows(ctx.db, { since, limit: MAX_PER_PASS })) {
    if (signal.aborted || run.state_id === null) continue;
    const scope = { workspaceId: run.workspace_id };
    // A run with a deployment has infrastructure of its own, which must be stopped first.
    const type = run.deployment_id === null ? "CANCELLED" : "CANCELLING";
    await setFlowRunState(ctx, scope, {
      id: run.id,
      state: { type, message: MESSAGE },
      force: true,
      ifStateId: run.state_id,
    });
    cancelled += 1;
  }
  return cancelled;
}

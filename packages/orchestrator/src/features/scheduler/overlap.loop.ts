import type { OrchestratorContext } from "../../context.ts";
import { readOverlapped } from "../../orchestration/overlap.store.ts";
import { setFlowRunState } from "../../orchestration/set-flow-run-state.ts";

const AT_ONCE = 100;

/** Cancels runs for which a later one of the same schedule waits, where the schedule wants that. */
export async function cancelOverlapped(
  ctx: OrchestratorContext,
  signal: AbortSignal,
): Promise<number> {
  const runs = await readOverlapped(ctx.db, AT_ONCE);
  let cancelled = 0;
  for (const { id, workspace_id: workspaceId } of runs) {
    if (signal.aborted) break;
    const message = "A later run of the schedule takes its place";
    const { status } = await setFlowRunState(
      ctx,
      { workspaceId },
      {
        id,
        state: { type: "CANCELLING", message },
      },
    );
    if (status !== "ABORT") cancelled += 1;
  }
  return cancelled;
}

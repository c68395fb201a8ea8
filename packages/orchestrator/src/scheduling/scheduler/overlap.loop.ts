import type { OrchestratorContext } from "../../context.ts";
import { overlapSpanAt } from "../../runs/orchestration/flow-run-rules/respect-overlap.ts";
import { readOverlapped } from "../../runs/orchestration/overlap.store.ts";
import { setFlowRunState } from "../../runs/orchestration/set-flow-run-state.ts";
import { oneByOne } from "../../runs/retention/one-by-one.ts";

const AT_ONCE = 100;

/** Cancels runs for which a later one of the same schedule waits, where the schedule wants that. */
export async function cancelOverlapped(
  ctx: OrchestratorContext,
  signal: AbortSignal,
): Promise<number> {
  const runs = await readOverlapped(ctx.db, { limit: AT_ONCE, ...overlapSpanAt(ctx.clock.now()) });
  const message = "A later run of the schedule takes its place";
  return oneByOne(ctx, { runs, signal }, async ({ id, workspace_id: workspaceId }) => {
    const state = { type: "CANCELLING", message } as const;
    return (await setFlowRunState(ctx, { workspaceId }, { id, state })).status !== "ABORT";
  });
}

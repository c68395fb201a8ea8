import type { OrchestratorContext } from "../../context.ts";
import { plusSeconds } from "../../orchestration/derive-run.ts";
import { removeFlowRun } from "../flow-runs/flow-runs.service.ts";
import { findEndedRuns } from "./run-keeping.store.ts";

const BATCH = 50;

/** Deletes runs that ended long ago, a few at a time, so that nobody waits behind it. */
export async function tick(ctx: OrchestratorContext, signal: AbortSignal): Promise<number> {
  const keepMs = ctx.settings.runRetention;
  if (keepMs === null) return 0;
  const before = plusSeconds(ctx.clock.now(), -keepMs / 1000);
  let deleted = 0;
  while (!signal.aborted) {
    const runs = await findEndedRuns(ctx.db, { before, limit: BATCH });
    for (const { id, workspace_id } of runs) {
      await ctx.db.write(workspace_id, (tx) => removeFlowRun(ctx, tx, id));
      deleted += 1;
    }
    if (runs.length < BATCH) break;
  }
  return deleted;
}

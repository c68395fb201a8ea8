import type { OrchestratorContext } from "../../context.ts";
import { plusSeconds } from "../../orchestration/derive-run.ts";
import { lockFlowRun } from "../../orchestration/flow-run-states.store.ts";
import type { RunState } from "../../orchestration/run-state.ts";
import { removeFlowRun } from "../flow-runs/flow-runs.service.ts";
import { oneByOne } from "./one-by-one.ts";
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
    const removed = await oneByOne(ctx, { runs, signal }, ({ id, workspace_id, state_id }) =>
      ctx.db.write(workspace_id, async (tx) => {
        // It may have been started again since it was found.
        const run = await lockFlowRun(tx, id);
        const isAsFound = run?.state != null && (JSON.parse(run.state) as RunState).id === state_id;
        return isAsFound && (await removeFlowRun(ctx, tx, id));
      }),
    );
    deleted += removed;
    if (runs.length < BATCH || removed === 0) break;
  }
  return deleted;
}

import { plusSeconds } from "@orchestrator/kernel/pure";
import type { OrchestratorContext } from "../../context.ts";
import { inBatches } from "../../db/in-batches.ts";
import { removeRuns } from "../flow-runs/run-removal.service.ts";
import { lockFlowRun } from "../orchestration/flow-run-states.store.ts";
import type { RunState } from "../orchestration/run-state.ts";
import { oneByOne } from "./one-by-one.ts";
import { type EndedRun, endedAt, findEndedRuns } from "./run-upkeep.store.ts";

const BATCH = 50;

/** Deletes runs that ended long ago, a few at a time, so that nobody waits behind it. */
export async function deleteEndedRuns(
  ctx: OrchestratorContext,
  signal: AbortSignal,
): Promise<number> {
  const keepMs = ctx.settings.runRetention;
  if (keepMs === null) return 0;
  const before = plusSeconds(ctx.clock.now(), -keepMs / 1000);
  let deleted = 0;
  // What is left for a reason, such as a run inside one that goes on, is passed over once and not
  // once for each batch.
  let after = endedAt("");
  while (!signal.aborted) {
    const runs = await findEndedRuns(ctx.db, { before, after, limit: BATCH });
    deleted += await oneByOne(ctx, { runs, signal }, (run) => deleteEndedRun(ctx, run, signal));
    const last = runs.at(-1);
    if (last === undefined || runs.length < BATCH) break;
    after = last;
  }
  return deleted;
}

function deleteEndedRun(
  ctx: OrchestratorContext,
  { id, workspace_id, state_id }: EndedRun,
  signal: AbortSignal,
): Promise<boolean> {
  return inBatches(ctx.db, workspace_id, async (tx) => {
    // It may have been started again since it was found.
    const run = await lockFlowRun(tx, id);
    const isAsFound = run?.state != null && (JSON.parse(run.state) as RunState).id === state_id;
    if (!isAsFound || signal.aborted) return false;
    const removed = await removeRuns(ctx, tx, [id]);
    return typeof removed === "number" ? removed > 0 : removed;
  });
}

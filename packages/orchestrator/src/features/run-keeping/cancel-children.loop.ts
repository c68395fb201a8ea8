import type { OrchestratorContext } from "../../context.ts";
import { plusSeconds } from "../../orchestration/derive-run.ts";
import { setFlowRunState } from "../../orchestration/set-flow-run-state.ts";
import { setTaskRunState } from "../../orchestration/set-task-run-state.ts";
import { releaseHolder } from "../concurrency-limits/slots.store.ts";
import { oneByOne } from "./one-by-one.ts";
import { findOrphanHolders, findOrphanSubflows, findOrphanTasks } from "./run-keeping.store.ts";

const DAY_SECONDS = 86_400;
const MAX_PER_PASS = 200;
const MESSAGE = "The flow run that it belongs to was cancelled";
/** A holder may take its slot a moment before its task run is written down. */
const SETTLING_SECONDS = 300;

/** What a cancelled run has left behind is cancelled, too: its task runs, and the runs inside it. */
export async function tick(ctx: OrchestratorContext, signal: AbortSignal): Promise<number> {
  const since = plusSeconds(ctx.clock.now(), -DAY_SECONDS);
  const tasks = await findOrphanTasks(ctx.db, { since, limit: MAX_PER_PASS });
  const cancelledTasks = await oneByOne(ctx, { runs: tasks, signal }, async (task) => {
    const { id, workspace_id, state_id } = task;
    const state = { type: "CANCELLED" as const, message: MESSAGE };
    const condition = state_id === null ? {} : { ifStateId: state_id };
    const proposal = { id, state, force: true, ...condition };
    const result = await setTaskRunState(ctx, { workspaceId: workspace_id }, proposal);
    return result.status === "ACCEPT";
  });
  const subflows = await findOrphanSubflows(ctx.db, { since, limit: MAX_PER_PASS });
  const cancelledRuns = await oneByOne(ctx, { runs: subflows, signal }, async (run) => {
    if (run.state_id === null) return false;
    // A run with a deployment has infrastructure of its own, which must be stopped first.
    const type = run.deployment_id === null ? "CANCELLED" : "CANCELLING";
    await setFlowRunState(
      ctx,
      { workspaceId: run.workspace_id },
      { id: run.id, state: { type, message: MESSAGE }, force: true, ifStateId: run.state_id },
    );
    return true;
  });
  await releaseOrphanedSlots(ctx, signal);
  return cancelledTasks + cancelledRuns;
}

/** Slots that are held without end, by a task run that is gone or whose flow run has ended. */
async function releaseOrphanedSlots(ctx: OrchestratorContext, signal: AbortSignal): Promise<void> {
  const before = plusSeconds(ctx.clock.now(), -SETTLING_SECONDS);
  const runs = await findOrphanHolders(ctx.db, { before, limit: MAX_PER_PASS });
  await oneByOne(ctx, { runs, signal }, async ({ id, workspace_id }) => {
    const now = ctx.clock.now();
    await ctx.db.write(workspace_id, (tx) => releaseHolder(ctx, tx, { type: "task_run", id, now }));
    return true;
  });
}

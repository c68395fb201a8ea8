import type { Transaction } from "@orchestrator/kernel/storage";
import type { OrchestratorContext } from "../../context.ts";
import type { LockedFlowRun } from "./flow-run-states.store.ts";
import type { RunState } from "./run-state.ts";
import { proposeTaskRunState } from "./set-task-run-state.ts";

/** A run inside another is a task run there: whatever state it enters, the task run enters too. */
export async function mirrorToParent(
  ctx: OrchestratorContext,
  tx: Transaction,
  {
    run,
    committed,
  }: {
    readonly run: Pick<LockedFlowRun, "id" | "parent_task_run_id">;
    readonly committed: RunState;
  },
): Promise<void> {
  if (run.parent_task_run_id === null) return;
  const { type, name, message, data, state_details } = committed;
  await proposeTaskRunState(ctx, tx, {
    id: run.parent_task_run_id,
    state: {
      type,
      name,
      message,
      data,
      state_details: { ...state_details, child_flow_run_id: run.id, deferred: false },
    },
    force: true,
  });
}

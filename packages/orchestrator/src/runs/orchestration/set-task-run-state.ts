// One proposed state of a task run, from the rules to the rows, in one transaction.

import type { OrchestrationResult, StateCreate } from "@orchestrator/contract";
import { readJson } from "@orchestrator/exact-json";
import { AppError } from "@orchestrator/kernel/pure";
import type { Scope } from "@orchestrator/kernel/scope";
import type { Transaction } from "@orchestrator/kernel/storage";
import type { OrchestratorContext } from "../../context.ts";
import { applyRules, orchestrationResult, overtaken } from "./apply-rules.ts";
import { afterLast, timesAfter } from "./derive-run.ts";
import { storeResultArtifact } from "./result-artifact.ts";
import { type RunState, receiveState, stateRow, withDetails } from "./run-state.ts";
import {
  BACKGROUND_TASK_POLICY,
  MINIMAL_TASK_RUN_POLICY,
  TASK_RUN_POLICY,
} from "./task-run-policy.ts";
import {
  findParentFlowRun,
  insertTaskRunState,
  type LockedTaskRun,
  lockTaskRun,
  updateTaskRunState,
} from "./task-run-states.store.ts";
import type { TaskRunRule, TaskRunTransition } from "./task-run-transition.ts";

/** Whoever serves background tasks listens for this topic. */
export const BACKGROUND_TASKS_TOPIC = "background-tasks";

export interface TaskStateProposal {
  readonly id: string;
  readonly state: StateCreate;
  readonly force?: boolean | null | undefined;
  /** Only while the run is still in this state; otherwise nothing happens. */
  readonly ifStateId?: string;
}

/** Proposes a state in a transaction of its own. */
export async function setTaskRunState(
  ctx: OrchestratorContext,
  scope: Pick<Scope, "workspaceId">,
  proposal: TaskStateProposal,
): Promise<OrchestrationResult> {
  return ctx.db.write(scope.workspaceId, async (tx) => {
    const result = await proposeTaskRunState(ctx, tx, proposal);
    if (result === null) throw new AppError("not_found", `Task run ${proposal.id} not found`);
    return result;
  });
}

/** Proposes a state inside another change. Null when there is no such task run. */
export async function proposeTaskRunState(
  ctx: OrchestratorContext,
  tx: Transaction,
  { id, state: given, force, ifStateId }: TaskStateProposal,
): Promise<OrchestrationResult | null> {
  const run = await lockTaskRun(tx, id);
  if (run === null) return null;
  const now = ctx.clock.now();
  const initial = run.state === null ? null : (readJson(run.state) as RunState);
  if (ifStateId !== undefined && initial?.id !== ifStateId) return overtaken(initial);
  const counts = { runCount: run.run_count, flowRunRunCount: run.flow_run_run_count };
  const parent = await findParentFlowRun(tx, run.flow_run_id);
  const proposed = receiveState(given, { ids: ctx.ids, now });
  const outcome = await applyRules<LockedTaskRun, TaskRunTransition>(rulesFor(proposed, force), {
    ctx,
    tx,
    now,
    run,
    initial,
    counts,
    parent,
    proposed,
  });
  if (outcome.state === null) {
    await outcome.windUp();
    return orchestrationResult(outcome, outcome.answer ?? initial);
  }
  const owner = { flow_run_id: run.flow_run_id, task_run_id: run.id };
  const timestamp = afterLast(outcome.state.timestamp, run.state_timestamp);
  const state = withDetails({ ...outcome.state, timestamp }, owner);
  const committed = await storeResultArtifact(ctx, tx, { state, owner });
  const counted = { ...run, run_count: counts.runCount };
  const times = timesAfter(counted, { from: run.state_type, next: committed, isCounted: true });
  await outcome.windUp();
  const row = stateRow(committed);
  await insertTaskRunState(tx, { task_run_id: run.id, ...row });
  await updateTaskRunState(tx, {
    id: run.id,
    updated: now,
    state_id: committed.id,
    state_type: committed.type,
    state_name: committed.name,
    state_timestamp: times.state_timestamp,
    state: row.state,
    run_count: times.run_count,
    expected_start_time: times.expected_start_time,
    next_scheduled_start_time: times.next_scheduled_start_time,
    start_time: times.start_time,
    end_time: times.end_time,
    total_run_time: times.total_run_time,
    flow_run_run_count: counts.flowRunRunCount,
  });
  if (committed.type === "SCHEDULED" && committed.state_details.deferred === true) {
    tx.notify(BACKGROUND_TASKS_TOPIC);
  }
  return orchestrationResult(outcome, committed);
}

function rulesFor(proposed: RunState, force: boolean | null | undefined): readonly TaskRunRule[] {
  if (proposed.state_details.deferred === true) return BACKGROUND_TASK_POLICY;
  return force ? MINIMAL_TASK_RUN_POLICY : TASK_RUN_POLICY;
}

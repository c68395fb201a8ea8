import type { OrchestrationRule, Transition } from "./rule.ts";
import type { LockedTaskRun, ParentFlowRun } from "./task-run-states.store.ts";

/** What rules count anew while a transition is decided. */
export interface TaskRunCounts {
  runCount: number;
  flowRunRunCount: number;
}

export interface TaskRunTransition extends Transition<LockedTaskRun> {
  readonly counts: TaskRunCounts;
  /** The flow run it belongs to, as it stands; null for a task run of its own. */
  readonly parent: ParentFlowRun | null;
}

export type TaskRunRule = OrchestrationRule<LockedTaskRun, TaskRunTransition>;

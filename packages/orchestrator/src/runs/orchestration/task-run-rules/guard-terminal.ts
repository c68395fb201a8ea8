import { ANY, abort, change, rejectTransition, TERMINAL } from "../rule.ts";
import { hasPersistedData, isTerminal } from "../run-state.ts";
import type { TaskRunRule } from "../task-run-transition.ts";

const NEVER = new Set(["CANCELLING", "PAUSED", "CRASHED"]);

/** A task run that has ended stays ended, unless its flow runs again. */
export const guardTerminalTaskRun: TaskRunRule = {
  name: "guard-terminal",
  from: TERMINAL,
  to: ANY,
  before: ({ initial, proposed, run, parent, counts }) => {
    if (initial === null) return;
    if (NEVER.has(proposed.type)) return abort("The task run has ended already");
    if (initial.type === "COMPLETED" && hasPersistedData(initial)) {
      return rejectTransition("The task run has completed, and its result is kept");
    }
    if (isTerminal(proposed.type)) return;
    counts.runCount = 0;
    const isRetriedByFlow = parent !== null && run.flow_run_run_count < parent.run_count;
    if (proposed.type === "RUNNING" && isRetriedByFlow) {
      return change({ ...proposed, name: "Retrying" });
    }
    return;
  },
};

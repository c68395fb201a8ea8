import type { FlowRunRule } from "../flow-run-transition.ts";
import { ANY, abort, rejectTransition, TERMINAL } from "../rule.ts";
import { hasPersistedData, isTerminal } from "../run-state.ts";
import { keepResult } from "./keep-result.ts";

const NEVER = new Set(["CANCELLING", "PAUSED", "CRASHED"]);

export const HAS_ENDED = "The run has ended already";

/** A run that has ended stays ended, unless somebody runs it again. */
export const guardTerminalFlowRun: FlowRunRule = {
  name: "guard-terminal",
  from: TERMINAL,
  to: ANY,
  before: (transition) => {
    const { initial, proposed, run, policy } = transition;
    if (initial === null) return;
    if (NEVER.has(proposed.type)) return abort(HAS_ENDED);
    if (initial.type === "COMPLETED" && !isTerminal(proposed.type) && hasPersistedData(initial)) {
      return rejectTransition("The run has completed, and its result is kept");
    }
    const lost = keepResult.before?.(transition);
    if (lost !== undefined) return lost;
    if (proposed.type === "SCHEDULED" && run.deployment_id === null) {
      return abort("Only a run of a deployment can be scheduled again");
    }
    if (isTerminal(proposed.type)) return;
    policy.change({
      resuming: false,
      pause_keys: [],
      retry_type: proposed.type === "SCHEDULED" ? "reschedule" : null,
    });
    return;
  },
};

import type { FlowRunRule } from "../flow-run-transition.ts";
import { ANY, only, rejectTransition, replace } from "../rule.ts";
import { isTerminal, receiveState } from "../run-state.ts";

/**
 * A paused run goes on, is scheduled again, ends or is cancelled; it cannot go on when it waited
 * too long.
 */
export const resumeFlowRunRule: FlowRunRule = {
  name: "resume",
  from: only("PAUSED"),
  to: ANY,
  before: ({ ctx, initial, proposed, run, now }) => {
    if (initial === null) return;
    const { type } = proposed;
    const goesOn = type === "RUNNING" || type === "SCHEDULED";
    // A process that waits for its pause to end must be told to stop, so cancelling needs no resume
    // first.
    if (!goesOn && !isTerminal(type) && type !== "CANCELLING")
      return rejectTransition(`A paused run cannot become ${type}`);
    const { pause_reschedule, pause_timeout } = initial.state_details;
    if (pause_reschedule === true && run.deployment_id === null && type !== "CANCELLING") {
      return rejectTransition("A suspended run without a deployment cannot go on");
    }
    // The deadline is the end of the pause, and later where nobody could resume the run for a
    // while.
    if (goesOn && pause_timeout !== null && (run.deadline ?? pause_timeout) < now) {
      const failed = receiveState(
        { type: "FAILED", message: "The run was paused and not resumed in time" },
        { ids: ctx.ids, now },
      );
      return replace(failed, "The pause of the run has timed out");
    }
    return;
  },
  after: ({ policy }, committed) => {
    if (committed.type === "RUNNING" || committed.type === "SCHEDULED")
      policy.change({ resuming: true });
  },
};

import type { FlowRunRule } from "../flow-run-transition.ts";
import { ANY_OR_NONE, abort, only, rejectTransition } from "../rule.ts";

/**
 * A running run can pause, once at each of its pause points; one whose process ends meanwhile needs
 * a deployment.
 */
export const pauseFlowRunRule: FlowRunRule = {
  name: "pause",
  from: ANY_OR_NONE,
  to: only("PAUSED"),
  before: ({ initial, proposed, run, policy }) => {
    if (initial === null) return abort("A run that has no state yet cannot pause");
    if (initial.type !== "RUNNING")
      return rejectTransition(`Only a running run can pause; it is ${initial.type}`);
    const { pause_key, pause_reschedule } = proposed.state_details;
    if (pause_key !== null && policy.current().pause_keys?.includes(pause_key)) {
      return rejectTransition("The run has passed this pause point already");
    }
    if (pause_reschedule === true) {
      if (run.parent_task_run_id !== null)
        return abort("A run inside another run cannot be suspended");
      if (run.deployment_id === null) return abort("Only a run of a deployment can be suspended");
    }
    return;
  },
  after: ({ ctx, policy }, committed) => {
    // A pause point without a name is one of its own each time.
    const key = committed.state_details.pause_key ?? ctx.ids.uuid4();
    policy.change({ pause_keys: [...(policy.current().pause_keys ?? []), key] });
  },
};

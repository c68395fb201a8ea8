import type { FlowRunRule } from "../flow-run-transition.ts";
import { ANY_OR_NONE, abort, change, keep, only } from "../rule.ts";
import { withDetails } from "../run-state.ts";

/** A running run can pause, once at each of its pause points; one whose process ends meanwhile needs a deployment. */
export const pause: FlowRunRule = {
  name: "pause",
  from: ANY_OR_NONE,
  to: only("PAUSED"),
  before: ({ ctx, initial, proposed, run, policy }) => {
    if (initial === null) return abort("A run that has no state yet cannot pause");
    if (initial.type !== "RUNNING")
      return keep(`Only a running run can pause; it is ${initial.type}`);
    const { pause_key, pause_reschedule } = proposed.state_details;
    const key = pause_key ?? ctx.ids.uuid4();
    if (policy.current().pause_keys?.includes(key)) {
      return keep("The run has passed this pause point already");
    }
    if (pause_reschedule === true) {
      if (run.parent_task_run_id !== null)
        return abort("A run inside another run cannot be suspended");
      if (run.deployment_id === null) return abort("Only a run of a deployment can be suspended");
    }
    return change(withDetails(proposed, { pause_key: key }));
  },
  after: ({ policy }, committed) => {
    const key = committed.state_details.pause_key;
    if (key !== null) policy.change({ pause_keys: [...(policy.current().pause_keys ?? []), key] });
  },
};

import type { FlowRunRule } from "../flow-run-transition.ts";
import { abort, change, only } from "../rule.ts";
import { isTerminal, withDetails } from "../run-state.ts";

/**
 * One claimant wins: what is claimed, running or cancelled cannot be claimed. The winner may say
 * how far it is. Nor can what has ended, where workers are offered it: whoever was offered it
 * before another has carried it out would do so a second time. It runs again once it is scheduled
 * again.
 */
export const guardPendingFlowRun: FlowRunRule = {
  name: "guard-pending",
  from: only("PENDING", "RUNNING", "CANCELLING", "CANCELLED", "COMPLETED", "FAILED", "CRASHED"),
  to: only("PENDING"),
  before: ({ initial, proposed, run }) => {
    if (initial === null) return;
    const isOffered = run.deployment_id !== null || run.work_queue_id !== null;
    if (initial.type !== "CANCELLED" && isTerminal(initial.type) && !isOffered) return;
    const isProgress =
      initial.type === "PENDING" && proposed.name !== "Pending" && proposed.name !== initial.name;
    if (!isProgress) return abort(`The run is ${initial.type} and cannot be claimed`);
    const { scheduled_time, deployment_concurrency_lease_id } = initial.state_details;
    return change(withDetails(proposed, { scheduled_time, deployment_concurrency_lease_id }));
  },
};

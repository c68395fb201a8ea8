import type { FlowRunRule } from "../flow-run-transition.ts";
import { abort, change, only } from "../rule.ts";
import { withDetails } from "../run-state.ts";

/** One claimant wins: what is claimed, running or cancelled cannot be claimed. The winner may say how far it is. */
export const guardPending: FlowRunRule = {
  name: "guard-pending",
  from: only("PENDING", "RUNNING", "CANCELLING", "CANCELLED"),
  to: only("PENDING"),
  before: ({ initial, proposed }) => {
    if (initial === null) return;
    const isProgress =
      initial.type === "PENDING" && proposed.name !== "Pending" && proposed.name !== initial.name;
    if (!isProgress) return abort(`The run is ${initial.type} and cannot be claimed`);
    const { scheduled_time, deployment_concurrency_lease_id } = initial.state_details;
    return change(withDetails(proposed, { scheduled_time, deployment_concurrency_lease_id }));
  },
};

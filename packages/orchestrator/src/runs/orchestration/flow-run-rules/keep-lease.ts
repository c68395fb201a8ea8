import type { FlowRunRule } from "../flow-run-transition.ts";
import { ANY, ANY_OR_NONE, change } from "../rule.ts";
import { withDetails } from "../run-state.ts";

/** A run that holds a slot of its deployment carries the slot's lease from state to state. */
export const keepLease: FlowRunRule = {
  name: "keep-lease",
  from: ANY_OR_NONE,
  to: ANY,
  before: ({ initial, proposed }) => {
    const lease = initial?.state_details.deployment_concurrency_lease_id ?? null;
    if (lease === null || proposed.state_details.deployment_concurrency_lease_id !== null) return;
    return change(withDetails(proposed, { deployment_concurrency_lease_id: lease }));
  },
};

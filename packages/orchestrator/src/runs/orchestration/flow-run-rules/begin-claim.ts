import type { FlowRunRule } from "../flow-run-transition.ts";
import { change, fromAllExcept, only } from "../rule.ts";
import { withDetails } from "../run-state.ts";

/** Entering PENDING begins a claim. */
export const beginClaim: FlowRunRule = {
  name: "begin-claim",
  from: fromAllExcept("PENDING"),
  to: only("PENDING"),
  before: ({ proposed }) => change(withDetails(proposed, { claim_id: proposed.id })),
};

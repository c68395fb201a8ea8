import type { FlowRunRule } from "../flow-run-transition.ts";
import { allExcept, only, rejectTransition } from "../rule.ts";

export const BEING_CANCELLED = "The run is being cancelled";

/** A run that is being cancelled can only become cancelled. */
export const guardCancelling: FlowRunRule = {
  name: "guard-cancelling",
  from: only("CANCELLING"),
  to: allExcept("CANCELLED"),
  before: () => rejectTransition(BEING_CANCELLED),
};

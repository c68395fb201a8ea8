import type { FlowRunRule } from "../flow-run-transition.ts";
import { ANY_OR_NONE, only, rejectTransition } from "../rule.ts";

/** Only a run that still waits can become late, and only once. */
export const guardLate: FlowRunRule = {
  name: "guard-late",
  from: ANY_OR_NONE,
  to: only("SCHEDULED"),
  before: ({ initial, proposed }) => {
    if (proposed.name !== "Late") return;
    if (initial?.type !== "SCHEDULED")
      return rejectTransition("The run no longer waits to be started");
    if (initial.name === "Late") return rejectTransition("The run is late already");
    return;
  },
};

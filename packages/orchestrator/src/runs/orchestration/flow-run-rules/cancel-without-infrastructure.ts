import type { FlowRunRule } from "../flow-run-transition.ts";
import { only, replace } from "../rule.ts";
import { receiveState } from "../run-state.ts";
import { isSuspension } from "../suspension.rules.ts";

/**
 * What runs nowhere needs nobody to stop it: it is cancelled at once if its flow waits, or the
 * dialect says so.
 */
export const cancelWithoutInfrastructure: FlowRunRule = {
  name: "cancel-without-infrastructure",
  from: only("SCHEDULED", "PAUSED"),
  to: only("CANCELLING"),
  before: ({ ctx, initial, proposed, run, now }) => {
    if (initial === null) return;
    const isSuspended = isSuspension(initial.name);
    if (!ctx.dialect.cancelsAtOnce && !isSuspended) return;
    const runsNowhere =
      initial.type === "SCHEDULED"
        ? run.infrastructure_pid === null || initial.name === "Resuming" || isSuspended
        : initial.state_details.pause_reschedule === true;
    if (!runsNowhere) return;
    const cancelled = receiveState(
      { type: "CANCELLED", message: proposed.message },
      { ids: ctx.ids, now },
    );
    return replace(
      cancelled,
      "The run had not been given to any infrastructure and is cancelled at once",
    );
  },
};

import { plusSeconds } from "@orchestrator/kernel/pure";
import { AWAITING_RETRY } from "../deadlines.ts";
import type { FlowRunRule } from "../flow-run-transition.ts";
import { only, replace } from "../rule.ts";
import { receiveState } from "../run-state.ts";

/** A run that fails is tried again as often as its policy says. */
export const retryFlowRunRule: FlowRunRule = {
  name: "retry",
  from: only("RUNNING"),
  to: only("FAILED"),
  before: ({ ctx, proposed, run, policy, now }) => {
    const { retries, retry_delay } = policy.current();
    if (retries == null || run.run_count > retries) {
      policy.change({ retry_type: null });
      return;
    }
    policy.change({ resuming: false, pause_keys: [], retry_type: "in_process" });
    // Its process lives on, and so do its slot and its claim.
    const { deployment_concurrency_lease_id, claim_id } = proposed.state_details;
    const scheduled_time = plusSeconds(now, retry_delay ?? 0);
    const awaiting = receiveState(
      {
        type: "SCHEDULED",
        name: AWAITING_RETRY,
        message: proposed.message,
        data: proposed.data,
        state_details: { scheduled_time, deployment_concurrency_lease_id, claim_id },
      },
      { ids: ctx.ids, now },
    );
    return replace(awaiting, "The run is tried again");
  },
};

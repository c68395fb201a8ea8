import { releaseHolder, releaseLease } from "../../../limits/release-slots.store.ts";
import { AWAITING_RETRY } from "../deadlines.ts";
import type { FlowRunRule } from "../flow-run-transition.ts";
import { ANY, allExcept } from "../rule.ts";
import { isTerminal, type RunState } from "../run-state.ts";
import { leaseOf } from "./acquire-slot.ts";

const UNDER_WAY = new Set(["PENDING", "RUNNING", "PAUSED", "CANCELLING"]);

/**
 * A run that is no longer under way gives its slot back, in the transaction of the state that says
 * so.
 */
export const releaseSlot: FlowRunRule = {
  name: "release-slot",
  from: ANY,
  to: allExcept("PENDING", "RUNNING", "CANCELLING"),
  written: async ({ ctx, tx, run, initial, proposed, now }, committed) => {
    if (run.deployment_id === null || initial === null) return;
    const leaseId = leaseOf(initial);
    if (leaseId === null && !isUnderWay(initial)) return;
    const isTriedAgain = proposed.type === "FAILED" && committed.type === "SCHEDULED";
    if (isTriedAgain || waitsInProcess(committed)) return;
    if (leaseId !== null) await releaseLease(ctx, tx, { leaseId, now });
    // What a paused run holds by its own doing stays with it; one that has ended holds nothing.
    if (leaseId === null || isTerminal(committed.type)) {
      await releaseHolder(ctx, tx, { type: "flow_run", id: run.id, now });
    }
  },
};

/**
 * A run that waits to be tried again has kept its slot, also where a forced state has left out
 * which it is.
 */
function isUnderWay({ type, name }: RunState): boolean {
  return UNDER_WAY.has(type) || (type === "SCHEDULED" && name === AWAITING_RETRY);
}

/**
 * The process of a run that is tried again, or that waits for a pause to end, lives on: its client
 * goes on renewing the lease, and the run will go on without asking. A pause without an end would
 * keep the slot from others for ever.
 */
function waitsInProcess({ type, state_details }: RunState): boolean {
  const { pause_reschedule, pause_timeout } = state_details;
  return type === "PAUSED" && pause_reschedule !== true && pause_timeout !== null;
}

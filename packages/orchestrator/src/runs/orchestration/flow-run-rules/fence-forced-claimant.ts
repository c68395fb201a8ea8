import type { FlowRunRule } from "../flow-run-transition.ts";
import { ANY, abort } from "../rule.ts";
import { CLAIM_LAPSED } from "./fence-late-claimant.ts";

/**
 * Force takes a run out of everybody's hands, but who says to hold a claim speaks of the run as it
 * was then: what a process of an earlier claim tells late is not about the run that another has
 * claimed since. Who names no claim is let pass.
 */
export const fenceForcedClaimant: FlowRunRule = {
  name: "fence-forced-claimant",
  from: ANY,
  to: ANY,
  before: ({ initial, proposed }) => {
    const claimant = proposed.state_details.claim_id;
    if (initial === null || claimant === null) return;
    const holder = initial.state_details.claim_id;
    // Of a run that was forced into its state nobody knows any more whose it is, unless it waits to
    // be claimed again.
    const isAnybodys = holder === null && initial.type !== "SCHEDULED";
    return claimant === holder || isAnybodys ? undefined : abort(CLAIM_LAPSED);
  },
};

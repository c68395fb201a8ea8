import type { FlowRunRule } from "../flow-run-transition.ts";
import { ANY, ANY_OR_NONE, abort, change } from "../rule.ts";
import { isTerminal, withDetails } from "../run-state.ts";

/**
 * A claim has an id: that of the PENDING state it began with. It stays with the run until the run
 * has ended or is offered again. A claimant that was silent for too long finds the run in other
 * hands, and is told to leave it alone.
 */
export const fenceLateClaimant: FlowRunRule = {
  name: "fence-late-claimant",
  from: ANY_OR_NONE,
  to: ANY,
  before: ({ initial, proposed }) => {
    const holder = initial?.state_details.claim_id ?? null;
    const claimant = proposed.state_details.claim_id;
    const wasTakenBack = initial?.name === REOFFERED && proposed.type === "RUNNING";
    if ((claimant !== null && claimant !== holder) || wasTakenBack) {
      return abort(CLAIM_LAPSED);
    }
    const begins = initial === null || isTerminal(initial.type) || proposed.type === "SCHEDULED";
    if (begins || claimant === holder) return;
    return change(withDetails(proposed, { claim_id: holder }));
  },
};

export const CLAIM_LAPSED = "The claim on this run has lapsed, and the run was offered to others";

/** The name of a state whose run waits for another claimant because the last one went silent. */
export const REOFFERED = "AwaitingClaim";

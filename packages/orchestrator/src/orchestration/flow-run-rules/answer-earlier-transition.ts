import { isEarlier, stateItLedTo } from "../earlier-transitions.ts";
import type { FlowRunRule, FlowRunTransition } from "../flow-run-transition.ts";
import { ANY, abort, answered, type Verdict } from "../rule.ts";
import { CLAIM_LAPSED } from "./fence-late-claimant.ts";
import { HAS_ENDED } from "./guard-terminal.ts";

/**
 * A request that is sent again gets the same answer also when the run has gone on meanwhile, and does not take it back.
 * Only who was let work on the run hears if it is in other hands by now, or was stopped: it has no slot any more.
 */
export const answerEarlierTransition: FlowRunRule = {
  name: "answer-earlier-transition",
  from: ANY,
  to: ANY,
  before: (transition) => {
    const { run, proposed } = transition;
    if (!isEarlier(run.earlier_transitions, proposed.state_details.transition_id)) return;
    return firstAnswer(transition);
  },
};

async function firstAnswer({
  tx,
  run,
  initial,
  proposed,
}: FlowRunTransition): Promise<Verdict | undefined> {
  const state = await stateItLedTo(tx, { of: "flow run", runId: run.id, proposed });
  if (state === undefined) return;
  const letWork =
    state.type === proposed.type && (state.type === "PENDING" || state.type === "RUNNING");
  if (!letWork) return answered(state, proposed);
  if (state.state_details.claim_id !== initial?.state_details.claim_id) return abort(CLAIM_LAPSED);
  // What a run that is being cancelled answers is told by the rule for that.
  if (initial.type === "CANCELLING") return;
  const wasStopped = initial.type === "CANCELLED" || initial.type === "CRASHED";
  return wasStopped ? abort(HAS_ENDED) : answered(state, proposed);
}

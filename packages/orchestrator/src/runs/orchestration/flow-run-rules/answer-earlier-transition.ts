import { isEarlier, stateItLedTo } from "../earlier-transitions.ts";
import type { FlowRunRule, FlowRunTransition } from "../flow-run-transition.ts";
import { ANY, abort, answered, type RuleVerdict, rejectTransition } from "../rule.ts";
import type { RunState } from "../run-state.ts";
import { CLAIM_LAPSED } from "./fence-late-claimant.ts";
import { BEING_CANCELLED } from "./guard-cancelling.ts";
import { HAS_ENDED } from "./guard-terminal.ts";

/**
 * A request that is sent again gets the same answer also when the run has gone on meanwhile, and
 * does not take it back. Only who was let work on the run hears if it is in other hands by now, or
 * was stopped: it has no slot any more.
 */
export const answerEarlierFlowRunTransition: FlowRunRule = {
  name: "answer-earlier-transition",
  from: ANY,
  to: ANY,
  before: (transition) => {
    const { run, proposed } = transition;
    if (!isEarlier(run.earlier_transitions, proposed.state_details.transition_id)) return;
    return firstAnswer(transition);
  },
};

async function firstAnswer(transition: FlowRunTransition): Promise<RuleVerdict | undefined> {
  const { tx, run, proposed } = transition;
  const state = await stateItLedTo(tx, { of: "flow run", runId: run.id, proposed });
  return state && answerAgain(state, transition);
}

/** To a proposal that has led to this state. */
export function answerAgain(
  state: RunState,
  { initial, proposed }: FlowRunTransition,
): RuleVerdict {
  const letWork =
    state.type === proposed.type && (state.type === "PENDING" || state.type === "RUNNING");
  if (!letWork) return answered(state, proposed);
  if (state.state_details.claim_id !== initial?.state_details.claim_id) return abort(CLAIM_LAPSED);
  if (initial.type === "CANCELLING") return rejectTransition(BEING_CANCELLED);
  const wasStopped = initial.type === "CANCELLED" || initial.type === "CRASHED";
  return wasStopped ? abort(HAS_ENDED) : answered(state, proposed);
}

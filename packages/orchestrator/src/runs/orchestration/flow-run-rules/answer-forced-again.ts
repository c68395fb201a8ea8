import { isEarlier, isSameState, stateItLedTo } from "../earlier-transitions.ts";
import type { FlowRunRule, FlowRunTransition } from "../flow-run-transition.ts";
import { ANY, type RuleVerdict } from "../rule.ts";
import { answerAgain } from "./answer-earlier-transition.ts";

/**
 * What was forced is not done again because it is sent again. Clients also force a state with the
 * details of the one before, its transition among them: only the same state is the same request.
 */
export const answerForcedFlowRunAgain: FlowRunRule = {
  name: "answer-forced-again",
  from: ANY,
  to: ANY,
  before: (transition) => {
    const { run, initial, proposed } = transition;
    const { transition_id: id } = proposed.state_details;
    if (id === null) return;
    const isLast = initial?.state_details.transition_id === id;
    return isLast || isEarlier(run.earlier_transitions, id) ? firstAnswer(transition) : undefined;
  },
};

async function firstAnswer(transition: FlowRunTransition): Promise<RuleVerdict | undefined> {
  const { tx, run, proposed } = transition;
  const state = await stateItLedTo(tx, { of: "flow run", runId: run.id, proposed });
  return state && isSameState(state, proposed) ? answerAgain(state, transition) : undefined;
}

import { isSameState, stateItLedTo } from "../earlier-transitions.ts";
import { ANY, answered, type RuleVerdict } from "../rule.ts";
import type { TaskRunRule, TaskRunTransition } from "../task-run-transition.ts";

/**
 * What was forced is not done again because it is sent again. Clients also force a state with the
 * details of the one before, its transition among them: only the same state is the same request.
 */
export const answerForcedTaskRunAgain: TaskRunRule = {
  name: "answer-forced-again",
  from: ANY,
  to: ANY,
  before: (transition) =>
    transition.proposed.state_details.transition_id === null ? undefined : firstAnswer(transition),
};

async function firstAnswer({
  tx,
  run,
  proposed,
}: TaskRunTransition): Promise<RuleVerdict | undefined> {
  const state = await stateItLedTo(tx, { of: "task run", runId: run.id, proposed });
  return state && isSameState(state, proposed) ? answered(state, proposed) : undefined;
}
